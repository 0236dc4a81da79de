typedef struct in { int x; char name[16]; struct in *next; } in_t; typedef struct out { int a; long b; string s; char name[16]; in_t *p; } out_t;
translator out_t < in_t *I > { a = I->x; };
inline out_t *cur = xlate <out_t *>((in_t *)arg0);
BEGIN { trace(cur[1]); trace(cur[0].a); trace(cur + 1); x = cur; y[cur] = 1; trace(cur ? 1 : 0); trace(-xlate <out_t>((in_t *)arg0)); printf("%p", cur); @[cur] = count(); trace((long)cur); trace(strlen(cur)); }
