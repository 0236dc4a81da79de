struct out { int m; };
translator struct out < int *x > { m = 1; };
BEGIN { print(xlate <struct out> ((int *)arg0)); print((xlate <struct out *> ((int *)arg0))->m); }
BEGIN { print(xlate <struct out *> ((int *)arg0)); }
