typedef struct point_s { int x; } point;
point p1, *p2;
read*, write* { }
foo { }
foo_t*, bar { }
u_t*b, c;
point *p3;
unknown x;
BEGIN { (point)(x); (point *)x; (nopoint)(x); sizeof(point[3]); sizeof(nopoint[3]); }
int a[point], b[limit], c[point *, nopoint], d[nopoint *];
int f(point), g(int (point)), h(int (nopoint), ...);
