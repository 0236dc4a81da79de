typedef unsigned long long big_t; typedef struct pair { int a, b; } pair_t; typedef int (*fn_t)(int, char *);
union u { int i; char c[8]; struct { short lo, hi; }; }; union u uu; pair_t pp; big_t bb; fn_t f;
struct bits { int a : 3; int : 5; unsigned b : 8; enum { X1, X2 } e : 2; }; struct bits bits;
signed char sc; unsigned us; long int li; short unsigned su; long long unsigned llu; const volatile int cv;
int *ptr, arr[2 * 3], *parr[4]; int (*pa)[5]; struct later *l; string names[int]; extern int max_pfn;
BEGIN
{
	uu.i = 1; uu.lo = 2; pp.b = 3; bb = 1; bits.b = 7; trace(bits.a); arr[5] = 1; trace((*pa)[2]);
	trace(max_pfn); trace(&max_pfn); trace(sizeof(union u)); trace(sizeof(struct bits)); names[1] = "x";
	trace(offsetof(struct pair, b)); trace(sizeof(fn_t)); trace(sizeof(arr));
}
