int a[4]; struct f { int x; char s[3]; } f;
BEGIN { s = "a"; s++; --s; a++; f--; a ? 1 : 2; a && 1; 1 || a; 0 || a; !a; if (f.s) { } pid ^^ a; }
