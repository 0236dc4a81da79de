int a[int]; inline int f[int x] = x; BEGIN { trace(a); trace(args); trace(uregs); trace(f); trace(strlen); }
BEGIN { x = 1; x[1] = 2; self->y = 1; trace(self->y[3]); }
BEGIN { p[1] = 2; p = 3; p++; self->q[1] = 1; self->q = 3; trace(self->q); r = 1; r[1, 2] = 3; }
