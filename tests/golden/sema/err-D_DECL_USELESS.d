int; struct s { int; };
