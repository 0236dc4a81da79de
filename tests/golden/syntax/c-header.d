# 1 "h.h" 1
__extension__ typedef unsigned long long big_t __attribute__((__aligned__(4 * 2), unused));
struct __attribute__((packed)) s { char c __attribute__((aligned)); int self; };
static __inline__ int twice(int x) { return "}" "{" ? x * 2.5 : '}'; }
inline int three(void) { return 3; }
inline int D_CONSTANT = 3;
_Static_assert(1 == 1, "no");
extern int f(char *const argv[], int v[restrict 4]) __asm__("" "g") __attribute__((nonnull(1)));
static const int table[] = { 1, { 2, 3 }, f(4, 5) }, more = 2;
int _Noreturn stop(char *string);
;
# 11 "c-header.d" 2
int x = 3;
int f(int y) { return y; }
typedef int wide __attribute__((vector_size(16))), wider __attribute__((__mode__(__DI__)));
struct c { _Complex float z; _Atomic(int) a; _Atomic int *b; };
BEGIN { x = __alignof__(struct s) + _Alignof(int); }
struct t { int self; };
