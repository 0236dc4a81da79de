struct foo { int a; string s; string t; };
struct foo g; this struct foo h; struct foo all[int];
BEGIN { g.s = "a"; g.t = execname; g.s = 0; trace(g.s); all[1].t = g.s; trace(all[1].t == "x"); }
BEGIN { printf("%s", this->h.t = "b"); h2 = strlen(g.t); trace(sizeof(g.t)); g.a = 1; }
