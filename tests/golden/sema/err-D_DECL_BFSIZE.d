struct s { int a : 33; char c : 9; };
