struct s { int l[3]; double d; } v; BEGIN { a[bcopy((void *)1, (void *)2, 3)] = 1; @[v.l] = count(); @b[v.d] = count(); b[stack()] = 1; }
