inline int f[int x] = x; BEGIN { trace(strlen()); trace(rand(1)); trace(substr("x")); a[1] = 2; trace(a[1, 2]); trace(f[1, 2]); trace(1, 2); exit(); @ = count(1); @q = sum(); sym(); tracemem(1); }
