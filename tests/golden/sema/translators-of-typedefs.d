typedef struct in { int x; } in_t; typedef in_t other; struct out { int a; };
translator struct out < struct in *I > { a = 1; };
translator struct out < in_t *I > { a = 2; };
struct in *s; in_t *t; other *o; void *v;
BEGIN { trace(xlate <struct out>(s).a); trace(xlate <struct out>(t).a); trace(xlate <struct out>(o).a); trace(xlate <struct out>(v).a); }
