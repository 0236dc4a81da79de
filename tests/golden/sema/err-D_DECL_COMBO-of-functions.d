int f(int)(int);
int g[3](int);
int (*h(int))[4];
int k(int)[4];
int (*ok[2])(int), (*also_ok(int))(int);
