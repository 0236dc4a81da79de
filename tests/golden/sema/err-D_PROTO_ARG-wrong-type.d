inline int f[int x] = x; BEGIN { trace(strlen(pid)); trace(copyin("x", 1)); a["x"] = 2; trace(a[1]); trace(f["x"]); exit("x"); trace(htons("x")); sym("x"); @a[1] = count(); @a["x"] = count(); trace(stack()); }
inline int g[int *p] = p != NULL; int m[int *]; struct a { int x; } aa; struct b { int x; } b; int n[struct a];
BEGIN { trace(g[(char *)8]); trace(g[8]); m[(char *)8] = 1; m[8] = 2; n[aa] = 1; n[b] = 2; @p[aa] = count(); @p[b] = count(); }
