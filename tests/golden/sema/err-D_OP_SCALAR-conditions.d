struct s { int x; } s;
BEGIN { if ("a") trace(1); }
BEGIN { if (s) ; else trace(1); }
BEGIN { if (pid) if ("b") trace(1); }
BEGIN { if (stack()) trace(1); }
BEGIN { if (s.x) trace(1); if (&s.x) trace(2); if (execname == "a") trace(3); }
