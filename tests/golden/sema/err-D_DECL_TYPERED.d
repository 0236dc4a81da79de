struct s { int a; }; struct s { int b; }; typedef int t; typedef char t; enum e { A }; enum e { B };
