typedef struct in { int x; char name[16]; struct in *next; } in_t; typedef struct out { int a; long b; string s; char name[16]; in_t *p; } out_t;
translator out_t < in_t *I > { a = I->x; };
translator struct out < in_t *I > { b = I->x; };
BEGIN { trace(1); }
