inline int f[int] = 1; int g(void x);
