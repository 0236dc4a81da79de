typedef struct in { int x; struct { int y; } z; } in_t;
BEGIN { trace(has(in_t)); trace(has(in_t.x)); trace(has(struct in.z.y)); trace(has(int)); }
BEGIN { trace(has(unheard_t)); trace(has(struct unheard)); trace(has(in_t.y)); trace(has(in_t.z.y.w)); }
BEGIN { trace(has(in_t.gone) ? ((in_t *)arg0)->gone : ((in_t *)arg0)->x); has = 3; trace(has); }
