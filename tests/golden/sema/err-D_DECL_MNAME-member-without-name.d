struct s { int; };
struct t { int : 3; struct { int x; }; enum { A }; unsigned; };
struct u { struct t; };
