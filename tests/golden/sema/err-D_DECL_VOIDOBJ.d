void x; struct s { void m; }; void a[3]; inline void v = 1;
