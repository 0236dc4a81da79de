typedef struct in { int x; char name[16]; struct in *next; } in_t; typedef struct out { int a; long b; string s; char name[16]; in_t *p; } out_t;
typedef struct deep { out_t first; int depth; } deep_t;
translator out_t < in_t *I > { a = I->x + 1; b = I->x; s = stringof(I->name); name = I->name; p = I->next; };
translator out_t < int i > { a = i; b = -i; s = probename; };
translator deep_t < in_t *I > { first = xlate <out_t>(I->next); depth = 2; };
inline out_t *cur = xlate <out_t *>((in_t *)arg0);
inline out_t outs[int n] = xlate <out_t>(n);
inline deep_t deep = xlate <deep_t>((in_t *)arg1);
BEGIN { trace(cur->a); trace(cur->b); trace(cur->s); trace(cur->name); trace(cur->p->x); }
BEGIN { trace((*cur).a); trace(outs[pid].b); trace(outs[2].a); trace(outs[0].s); trace(deep.first.a); }
BEGIN { trace(sizeof(out_t) == sizeof(struct out)); trace(cur->name == "x"); @[cur->s] = sum(cur->a); }
BEGIN { trace(xlate <struct out>((struct in *)arg0).a); this->o = *cur; trace(this->o.a); }
