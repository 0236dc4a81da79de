struct s { int a : 0; int b : -1; int c : pid; };
