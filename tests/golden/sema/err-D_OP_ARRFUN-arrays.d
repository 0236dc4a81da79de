struct s { char name[8]; int list[4]; } v; extern int f(int); BEGIN { v.name = "x"; x = v.list; y = v.name; v.list = v.list; }
