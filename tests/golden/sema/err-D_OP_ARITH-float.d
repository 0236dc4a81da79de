struct s { double d; } v; BEGIN { trace(v.d * 2); trace(-"x"); trace("a" / 3); v.d += 1; execname; s = "q"; s *= 2; }
