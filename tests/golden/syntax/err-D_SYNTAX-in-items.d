END /x +/ { y = ; }
tick-1s /x == 1 { z = ; }
syscall::read:entry
syscall::write:entry { w = ; }
int v = 3;
struct { int a; bad bad bad; int b; static int c; } s;
enum { A, 3, B } e;
translator A < B > { x = 1; };
translator A < B b > { x = ; y = 2; z; };
provider p { probe a(int, ...); probe; int x; probe b(); };
inline int q;
int string;
} 
typedef int;
probe2 /x/
