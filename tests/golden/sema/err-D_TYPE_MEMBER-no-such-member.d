struct s { int value; int other; }; struct s v; BEGIN { trace(v.vlaue); trace(offsetof(struct s, zzz)); }
