int a[int, string]; int n; self int s[int]; struct t { int x; }; int d[struct t];
BEGIN { foreach (k in a) n++; }
BEGIN { foreach (k, l, m in a) n++; }
BEGIN { foreach (k in n) n++; }
BEGIN { foreach (k in d) n++; }
BEGIN { foreach (k in nothing) n++; }
BEGIN { foreach (k in self->s) n++; }
BEGIN { @g[1] = count(); foreach (k in @g) n++; }
BEGIN { foreach (k, l in a) n += l; }
BEGIN { foreach (k, l in a) n += k; n += k; }
BEGIN { foreach (k, l in a) exit(0); }
