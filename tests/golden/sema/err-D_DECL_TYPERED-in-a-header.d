# 1 "g.h" 1
typedef short both_t; struct both { short s; };
# 3 "g.d" 2
typedef long both_t; struct both { long l; };
BEGIN { trace(sizeof(D`both_t)); trace(sizeof(both_t)); }
