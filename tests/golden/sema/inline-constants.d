inline int N = 5;
inline int M = N * 2;
int a[N];
struct s { char b[M]; int f : N; };
inline int twice[int x] = x * 2;
int c[twice[3]];
BEGIN { trace(sizeof(c)); trace(uregs[M] != 0); @ = lquantize(1, 0, M, N); trace(sizeof(a)); trace(a[2]); trace(N ? 1 : nonsense); exit(N - 5); }
