struct s { unsigned a : 3; unsigned long b : 64; unsigned long c : 61; } __attribute__((packed));
struct s g;
BEGIN { g.a = 1; g.c = 2; trace(g.b); }
