struct s { int a; } v; struct t { int b; } w; BEGIN { trace((int)v); trace((struct s)w); trace((struct s)1); trace((uintptr_t)"x"); trace((string)v); }
