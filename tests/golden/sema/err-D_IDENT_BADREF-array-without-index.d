int a[int]; inline int f[int x] = x; BEGIN { trace(a); trace(args); trace(uregs); trace(f); trace(strlen); }
