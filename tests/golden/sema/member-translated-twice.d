typedef struct in { int x; char name[16]; struct in *next; } in_t; typedef struct out { int a; long b; string s; char name[16]; in_t *p; } out_t;
translator out_t < in_t *I > { a = I->x; b = 2; a = 3; };
BEGIN { trace((xlate <out_t *>((in_t *)arg0))->a); }
