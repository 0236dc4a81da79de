struct in { int x; struct in *next; }; typedef struct out { int a; } out_t;
translator out_t < struct in *I > { a = I->next->x; };
translator out_t < int i > { a = i; };
fake::request:start { trace(args[0]->a); trace(args[1].a); }
