struct s { int x; }; typedef struct s s_t;
inline int set[int *p] = p != NULL; inline int first[struct s *p] = p->x;
inline int before[long n] = n - 1 < 0; unsigned u;
int m[int *]; struct s *sp; void *vp;
BEGIN { trace(set[0]); trace(set[NULL]); trace(set[(void *)8]); trace(first[(s_t *)arg0]); trace(first[vp]); trace(before[u]); trace(before[3]); }
BEGIN { m[(int *)8] = 1; m[0] = 2; m[vp] = 3; @[(int *)arg0] = count(); @[vp] = count(); @[(int *)0] = count(); }
