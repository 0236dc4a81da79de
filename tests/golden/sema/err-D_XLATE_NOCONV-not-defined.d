typedef struct in { int x; char name[16]; struct in *next; } in_t; typedef struct out { int a; long b; string s; char name[16]; in_t *p; } out_t;
translator out_t < in_t *I > { a = I->x; };
BEGIN { this->i = (in_t *)arg0; trace(xlate <out_t>(this->i).b); }
