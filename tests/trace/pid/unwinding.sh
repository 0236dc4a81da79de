# What: a C++ program that throws through probed functions continues. Needs: uprobe.  Executors: kernel process.
. "$LIB"
command -v g++ >/dev/null || skip "no C++ compiler"
cat >throws.cc <<'C'
#include <cstdio>
__attribute__((noinline)) int thrower(int x) { if (x % 2) throw x; return x; }
__attribute__((noinline)) int middle(int x) { int r = thrower(x); asm volatile("" : "+r"(r)); return r + 1; }
int main()
{
	int caught = 0, sum = 0;
	for (int i = 0; i < 10; i++)
		try { sum += middle(i); } catch (int) { caught++; }
	printf("caught %d sum %d\n", caught, sum);
}
C
g++ -O1 -o throws throws.cc || fail "no program"
trace -c ./throws -n 'pid$target:a.out:*thrower*:return, pid$target:a.out:*middle*:return
	{ @[probefunc] = count(); }'
same "$status" 0 status
contains 'caught 5 sum 25'
contains 'middle(int)  *5$'
contains 'thrower(int)  *5$'
