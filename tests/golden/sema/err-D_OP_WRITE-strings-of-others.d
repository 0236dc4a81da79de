struct named { int n; string t; };
struct named e[int];
BEGIN { *(string *)arg0 = "a"; ((struct named *)arg0)->t = "b"; (&e[1].t)[0] = "c"; }
