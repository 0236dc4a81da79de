/* What: an unsigned int has 32 bits where it is widened, compared, tested, made a key or an index; sums in between have 64. */
unsigned int a, b; int i; uint64_t w; int64_t m[int64_t]; char c[8];
BEGIN
{
	a = 1; b = 2; i = -1; m[4294967295] = 7; c[2] = 'x';
	printf("%d %d %d %d\n", 4294967295 == -1u, i == 4294967295u, a - b == 4294967295, (uint64_t)(a - b) == 4294967295);
	w = a - b; printf("%u ", w); w += a - b; printf("%u ", w); printf("%u\n", a - b + 1L);
	printf("%d %c %d %d\n", m[a - b], c[4294967295u + a + b], 4294967295u + a ? 1 : 0, a * 4294967295u + 1 && 1);
	@ = sum(a - b); @k[(a - b) + 0L] = count();
	exit(0);
}
