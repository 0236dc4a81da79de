int c[4]; struct s { int x; } st; BEGIN { *(c + 4) = 1; trace(*(c - 1)); trace(&st); trace(&c); c++; }
