inline int f[...] = 1;
inline int g[int a, string b, int a] = a;
inline int h[int a, ...] = a;
BEGIN { }
