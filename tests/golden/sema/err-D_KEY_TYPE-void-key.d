struct s { int l[3]; double d; } v; struct out { int a; }; translator struct out < int i > { a = i; };
BEGIN { a[bcopy((void *)1, (void *)2, 3)] = 1; @[v.l] = count(); @b[v.d] = count(); b[sym(1)] = 1; c[xlate <struct out *>(1)] = 1; @c[xlate <struct out>(1)] = count(); }
