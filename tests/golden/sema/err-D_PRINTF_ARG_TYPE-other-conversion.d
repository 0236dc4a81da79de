BEGIN { printf("%s", sym(1)); }
BEGIN { printf("%s", umod(1)); }
BEGIN { printf("%s", stack()); }
BEGIN { printf("%d", ustack()); }
BEGIN { printf("%lx", curthread); }
