int a[int, string]; int n; self int s[int]; struct t { int x; }; int d[struct t];
BEGIN { foreach (k in a) n++; }
BEGIN { foreach (k, l, m in a) n++; }
BEGIN { foreach (k in n) n++; }
BEGIN { foreach (k in d) n++; }
BEGIN { foreach (k in nothing) n++; }
BEGIN { @g[1] = count(); foreach (k in @g) n++; }
BEGIN { foreach (k, l in a) n += l; }
BEGIN { foreach (k, l in a) n += k; n += k; }
BEGIN { foreach (k, l in a) exit(0); }
BEGIN { foreach (k in @unknown) n++; }
BEGIN { @plain = count(); @q[1] = quantize(3); @st[stack()] = count(); @short[1] = count(); @c[1, 2] = count(); }
END { foreach (k in @plain) n++; }
END { foreach (k in @q) n += @q[k]; }
END { foreach (k in @st) n++; }
END { foreach (k in @c[1]) n++; }
END { foreach (k, l in @c) n += @c[l, k]; }
END { foreach (k, l in @c) n += @c; }
END { trunc(@short, 5); foreach (k in @short) n++; }
END { foreach (k, l in @c) n++; trunc(@c, 2); }
END { n += @c[1, 2]; }
