int a[int, ...]; inline int f[int a, ...] = a;
