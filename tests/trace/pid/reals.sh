# What: float and double of a program: fixed(), casts, comparisons, against the program's own arithmetic.  Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"
cat >reals.c <<'C'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct both { float f; double d; };
__attribute__((noipa)) void seen(struct both *b, double *p, long n) { __asm__ volatile("" ::: "memory"); }
int main(void)
{
	srand48(7);
	for (int i = 0; i < 2000; i++) {
		struct both b = { (float)((drand48() - 0.5) * 100), (drand48() - 0.5) * 1e6 };
		double p = i % 3 ? drand48() * 10 : b.d, thousand = b.d * 1000, ten = (double)b.f * 10;
		long n = lrand48() % 100 - 50;
		seen(&b, &p, n);
		fprintf(stderr, "%lld %lld %lld %d %lld %d%d%d%d%d%d %d%d%d\n", llround(thousand), llround(ten), (long long)b.d,
			(int)b.f, (long long)p, b.d < p, b.d <= p, b.d == p, b.d != p, b.d > p, b.d >= p,
			b.f < n, b.f > 0, n >= p);
	}
	return 0;
}
C
gcc -g -O1 -o reals reals.c -lm || fail "no program"
cat >reals.d <<'D'
pid$target:a.out:seen:entry
{
	this->b = args[0];
	printf("%d %d %d %d %d %d%d%d%d%d%d %d%d%d\n", fixed(this->b->d, 1000), fixed(this->b->f, 10), (int64_t)this->b->d,
	       (int)this->b->f, (long long)*args[1], this->b->d < *args[1], this->b->d <= *args[1], this->b->d == *args[1],
	       this->b->d != *args[1], this->b->d > *args[1], this->b->d >= *args[1],
	       this->b->f < args[2], this->b->f > 0, args[2] >= *args[1]);
	@sum = sum(fixed(*args[1], 1));
	@all[this->b->f >= 0] = count();
}
D
trace -q -s reals.d -c ./reals
same "$status" 0 status
grep '^-\?[0-9][-0-9]* ' err >own
grep '^-\?[0-9][-0-9]* .* .* ' out >traced
same "$(wc -l <own)" 2000 "lines of the program"
# b.d * 1000 is itself rounded: one in some thousand differs by 1 from the exact product
differ=$(paste -d' ' own traced | awk '{ d = $1 - $8; if (d > 1 || d < -1) n += 1000; n += d != 0; for (i = 2; i <= 7; i++) n += 1000 * ($i != $(i + 7)) } END { print n + 0 }')
[ "$differ" -lt 5 ] || fail "$differ differ"
# what no int64_t can be
cat >bad.d <<'D'
BEGIN
{
	this->w = (uint64_t *)alloca(8);
	this->d = (double *)this->w;
}
BEGIN { *this->w = 0x7ff8000000000000; printf("%d%d%d%d%d%d ", *this->d < 1, *this->d <= 1, *this->d == *this->d, *this->d != *this->d, *this->d > 1, *this->d >= 1); }
BEGIN { trace(fixed(*this->d, 1)); }
BEGIN { *this->w = 0x7ff0000000000000; printf("%d ", *this->d > 0x7fffffffffffffff); }
BEGIN { trace((int)*this->d); }
BEGIN { *this->w = 0x43e0000000000000; trace((int64_t)*this->d); }
BEGIN { *this->w = 0xc1d26580b487e6b7; printf("%d %d", (int)*this->d, fixed(*this->d, 1000000000)); exit(0); }
ERROR { printf("fault %d ", arg4); }
D
trace -q -s bad.d
contains '000100 fault 16 1 fault 16 fault 16 -1234567890 -1234567890123456717' out
# messages
refused() { trace -n "BEGIN { this->f = (double *)alloca(8); $1; }"; same "$status" 1 "status of $1"; contains "$2" err; }
refused '@ = sum(*this->f)' 'must be scalar, not double: fixed(x, 1000) is x times 1000 as an integer'
refused 'trace(*this->f + 1)' 'incompatible types: double and int: fixed('
refused 'trace(*this->f * 2)' 'must be arithmetic, not double: fixed('
refused 'trace(*this->f ? 1 : 0)' 'must be scalar, not double: compare it with 0'
refused 'trace(fixed(1, 10))' 'argument 1 of fixed() must be double, not int'
refused 'trace(fixed(*this->f, 0))' 'argument 2 of fixed() must be from 1 to 2147483647'
refused 'trace(*(long double *)this->f > 1)' 'long double can only be printed'
