typedef int number; int *p; number *q; const int *r; void *v; long *l; int (*f)(int); long (*g)(void);
BEGIN { p = q; p = r; p = v; p = 0; p = NULL; v = l; f = g; x = p == q; y = p == v; z = p < 0; }
BEGIN { p = l; p = 5; }
BEGIN { a = p == l; b = p - l; c = p == 5; d = p + p; e = 1 - p; }
userland int *u;
BEGIN { p = u; x = u == p; y = u - p; z = pid ? u : p; u = 0; u = NULL; }
