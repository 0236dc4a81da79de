/* Structures, and arrays of other things than characters, are not strings; what has an address is. */
struct in { int a; }; struct s { struct in in; struct in array[2]; int numbers[2]; char text[4]; }; struct s g; struct s elements[int];
BEGIN { trace(stringof(g)); trace(stringof(g.in)); trace(stringof(elements[1])); trace(stringof(*(struct s *)arg0)); }
BEGIN { trace(stringof(g.numbers)); trace(stringof(g.array)); trace(stringof(((struct s *)arg0)->array)); }
BEGIN { trace(stringof(g.text)); trace(stringof(((struct s *)arg0)->text)); trace(stringof(arg0)); trace(stringof(&g.in)); }
