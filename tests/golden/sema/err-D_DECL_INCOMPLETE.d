struct later x; struct s { struct later m; }; struct later a[3];
