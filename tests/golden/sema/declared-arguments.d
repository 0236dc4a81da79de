#!-Z
struct in { int x; struct in *next; }; typedef struct out { int a; } out_t;
translator out_t < struct in *I > { a = I->next->x; };
provider calm { probe go__fast(int a, string b); probe stop(void); probe stop__now(struct in *i, int n) : (int n, out_t *i, long n); };
calm*:::go-fast { trace(args[0]); trace(args[1]); }
calm77:::stop-now { trace(args[0]); trace(args[1]->a); trace(args[2]); }
