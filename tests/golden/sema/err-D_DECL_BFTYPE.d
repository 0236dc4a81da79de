struct s { string a : 3; int *p : 3; };
