int x[]; struct s { int n; char data[]; }; struct t { char data[]; int n; }; struct u { char d[], e[]; };
