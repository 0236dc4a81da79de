translator string < "std::*basic_string<char,*>" s > = copyinstr(s._M_p, s.n);
translator string < "&str" s > = "x";
translator struct a < struct b *p > { x = p->x; };
BEGIN { exit(0); }
