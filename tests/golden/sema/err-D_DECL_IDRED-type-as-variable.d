int size_t;
typedef int mine_t;
int mine_t;
self int size_t;
int v; typedef int v;
self int s; self string s; this int t; this long t; self int b[int]; self int b[long]; int c[int, string]; int c[int];
