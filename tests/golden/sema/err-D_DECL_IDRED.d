int x; char x; int x[int]; int pid; enum { A, A }; int A; inline int x = 1; inline int I = 1; int I; typedef int t; string strlen; struct s { int m, m; }; enum { x };
