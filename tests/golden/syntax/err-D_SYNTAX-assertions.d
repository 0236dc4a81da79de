_Static_assert(1 == 2, "no");
struct s { int x; _Static_assert(1, "yes"); };
BEGIN { }
