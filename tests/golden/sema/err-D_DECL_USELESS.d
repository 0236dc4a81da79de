int; struct s { int; }; struct { int a; }; union { int a; }; enum { FINE }; struct t; BEGIN { trace(FINE); }
