int a[int]; inline int f[int x] = x; BEGIN { trace(a); trace(args); trace(uregs); trace(f); trace(strlen); }
BEGIN { x = 1; x[1] = 2; self->y = 1; trace(self->y[3]); }
