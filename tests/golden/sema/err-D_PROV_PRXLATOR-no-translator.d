typedef struct out { int a; } out_t;
provider calm { probe go(int *a) : (out_t *a); };
BEGIN { trace(1); }
