struct s { double d; } v; BEGIN { trace("x" % 2); trace(~"x"); trace((int *)arg0 & 1); trace(1 << "a"); trace(v.d | 1); }
