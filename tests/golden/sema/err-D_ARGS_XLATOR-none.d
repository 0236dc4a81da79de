struct in { int x; }; typedef struct out { int a; } out_t;
translator out_t < struct in *I > { a = I->x; };
fake::request:start { trace(args[0]->a); trace(args[1].a); trace(args[2]->a); trace(args[0]); }
