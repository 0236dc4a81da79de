/* print() of a translated value shows all members; those without a translation are absent. */
struct out { int m; char c; string s; struct { int x; } in; };
translator struct out < int *x > { m = 1; s = execname; };
BEGIN { print(xlate <struct out> ((int *)arg0)); print((xlate <struct out *> ((int *)arg0))->m); }
BEGIN { print(xlate <struct out *> ((int *)arg0)); print(*(xlate <struct out *> ((int *)arg0))); }
