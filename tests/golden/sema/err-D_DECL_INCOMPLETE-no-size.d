struct empty { };
struct empty a;
struct flexible { char data[]; } b;
struct counted { int n; char data[]; } c;
this struct empty d;
BEGIN { x = *(struct empty *)arg0; }
BEGIN { m[*(struct empty *)arg0] = 1; @[*(struct flexible *)arg0] = count(); }
BEGIN { trace(sizeof(struct empty)); trace(c.data[0]); c.data[pid] = 1; *c.data = 2; }
BEGIN { print(*(__int128 *)arg0); }
