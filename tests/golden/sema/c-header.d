/* What C headers have: skipped, or layout.  The sizes are those that gcc gives. */
# 1 "g.h" 1
typedef __signed__ char my_s8;
__extension__ typedef unsigned long long my_u64;
typedef my_u64 __attribute__((aligned(8))) my_aligned;
typedef struct { char c; } __attribute__((__aligned__(16))) wide_t;
typedef int loose_t __attribute__((aligned(2)));
struct packed { char c; int i; short s; } __attribute__((packed));
struct __attribute__((__packed__, aligned(4))) packed_aligned { char c; int i; short s; };
struct member_packed { char c; int i __attribute__((packed)); char d; long l __attribute__((aligned(32))); };
struct with_typedefs { char c; loose_t l; char d; wide_t w; };
struct flexible { unsigned n; struct { struct { } empty; char data[]; }; };
struct old_flexible { char n; long data[0]; };
struct bits { unsigned a : 3; int : 0; unsigned b : 4; unsigned c : 30; } ;
struct packed_bits { unsigned a : 3; unsigned long b : 40; char c; } __attribute__((packed));
struct keywords { int self, this, string, probe; char *provider; };
enum large { LARGE = 1u << 31, ALL = 0xffffffff };
enum wider { WIDER = 1ull << 40, LESS = -1 };
union big { __int128 a; unsigned __int128 b; char c; };
#pragma pack(push, 1)
struct pack1 { char c; long l; };
#pragma pack(push, 2)
struct pack2 { char c; long l; };
#pragma pack(pop)
struct pack1_again { char c; long l; };
#pragma pack(pop)
struct pack_none { char c; long l; };
_Static_assert(sizeof(int) == 4, "int");
static __inline__ int twice(int x) { const char *s = "}" "{"; return s ? x * 2.5e1 : '}'; }
extern __inline int thrice(int x) { return 3 * x; }
inline int four(void) { return 4; }
static const struct keywords table[] = { { 1, 2, 3, 4, 0 }, { 0 } };
extern int strlen_(const char *restrict s, char *const argv[], int v[restrict 4]) __asm__("" "name") __attribute__((nonnull(1, 2)));
extern int raise(int string);
extern char *environ_[], end_of[];
extern void *(*hook_)(unsigned long, const void *) __attribute__((deprecated));
typedef float quad_t __attribute__((vector_size(16)));
typedef float xmm_t __attribute__ ((__mode__ (__V4SF__)));
typedef unsigned two_t __attribute__((mode(HI))), word_t __attribute__((__mode__(__word__)));
typedef _Complex float pair_t __attribute__((mode(DC)));
typedef quad_t loose_quad_t __attribute__((aligned(1)));
struct vectors { char c; quad_t q; char d; float f __attribute__((vector_size(8))); char e; loose_quad_t l; };
struct packed_vectors { char c; quad_t q; _Complex double z; } __attribute__((packed));
struct atomics { _Atomic(short) a; _Atomic long b; _Atomic _Bool c; long double _Complex z; double complex_; _Complex float f; };
struct computed { int i; char pad[sizeof(int) - 4]; char c; };
typedef char nothing_t[0];
typedef int list_t[];
struct ends { char n;; list_t rest; };
extern double _Complex root_(double _Complex z);
extern int pick_(int count, int list[count + 1]);
int _Noreturn stop_(register int self);
;
# 2 "g.d" 2
BEGIN {
	printf("%d %d\n", sizeof(my_s8), __alignof__(my_s8));
	printf("%d %d\n", sizeof(my_u64), __alignof__(my_u64));
	printf("%d %d\n", sizeof(my_aligned), __alignof__(my_aligned));
	printf("%d %d\n", sizeof(wide_t), __alignof__(wide_t));
	printf("%d %d\n", sizeof(loose_t), __alignof__(loose_t));
	printf("%d %d\n", sizeof(struct packed), __alignof__(struct packed));
	printf("%d %d\n", sizeof(struct packed_aligned), __alignof__(struct packed_aligned));
	printf("%d %d\n", sizeof(struct member_packed), __alignof__(struct member_packed));
	printf("%d %d\n", sizeof(struct with_typedefs), __alignof__(struct with_typedefs));
	printf("%d %d\n", sizeof(struct flexible), __alignof__(struct flexible));
	printf("%d %d\n", sizeof(struct old_flexible), __alignof__(struct old_flexible));
	printf("%d %d\n", sizeof(struct bits), __alignof__(struct bits));
	printf("%d %d\n", sizeof(struct packed_bits), __alignof__(struct packed_bits));
	printf("%d %d\n", sizeof(struct keywords), __alignof__(struct keywords));
	printf("%d %d\n", sizeof(enum large), __alignof__(enum large));
	printf("%d %d\n", sizeof(enum wider), __alignof__(enum wider));
	printf("%d %d\n", sizeof(union big), __alignof__(union big));
	printf("%d %d\n", sizeof(struct pack1), __alignof__(struct pack1));
	printf("%d %d\n", sizeof(struct pack2), __alignof__(struct pack2));
	printf("%d %d\n", sizeof(struct pack1_again), __alignof__(struct pack1_again));
	printf("%d %d\n", sizeof(struct pack_none), __alignof__(struct pack_none));
	printf("%d %d\n", sizeof(xmm_t), __alignof__(xmm_t));
	printf("%d %d\n", sizeof(two_t), sizeof(word_t));
	printf("%d %d\n", sizeof(pair_t), __alignof__(pair_t));
	printf("%d %d\n", sizeof(struct vectors), __alignof__(struct vectors));
	printf("%d %d\n", sizeof(struct packed_vectors), __alignof__(struct packed_vectors));
	printf("%d %d\n", sizeof(struct atomics), __alignof__(struct atomics));
	printf("%d %d\n", sizeof(struct computed), __alignof__(struct computed));
	printf("%d %d\n", sizeof(struct ends), offsetof(struct ends, rest));
	printf("%d\n", offsetof(struct vectors, l));
	printf("%d\n", offsetof(struct member_packed, l)); exit(0);
}
