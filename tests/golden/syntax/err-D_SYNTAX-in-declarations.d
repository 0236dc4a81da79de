struct s { typedef int x; };
struct s { self int x; };
struct s { int x = 1; };
struct s { int; int :; };
struct { } ;
enum { };
enum e { A = , B };
BEGIN { sizeof(self int); (extern int)x; }
int a[1 = 2];
int (b;
int c[3;
inline x = 1;
inline int x;
inline int y[int n] { };
translator out < in > { };
translator out < in *i > { a = 1 };
translator out < in *i > { a = 1; }
int *const *volatile good;
provider p { probe a(int) : int; };
provider p { probe a(int) }
int last;
