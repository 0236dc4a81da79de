# What: notes of functions that end by jumps go with their process, and a child of fork() returns as its parent. Needs: uprobe cc.
# Executors: kernel (several processes).
. "$LIB"
cat >program.c <<'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#define F __attribute__((noinline, noclone))
#define HIDE(x) __asm__ volatile("" : "+r"(x))
static char *how, *name;
static int is_child;
static int F forks(int x)
{
	HIDE(x);
	if (fork()) {
		wait(NULL);
		return x;
	}
	is_child = 1;
	return x + 100;
}
/* x: in the child that is to end; how the process goes while functions are noted */
int F last(int x)
{
	HIDE(x);
	if (x < 0 && *how == 'e')
		exit(0);
	if (x < 0 && *how == 'x')
		execl(name, name, "0", "0", "0", NULL);
	return *how == 'f' ? forks(x) : x;
}
int F top(int x) { HIDE(x); return last(x); }
int F deep(int n);
int F deeper(int n) { HIDE(n); int r = n ? deep(n - 1) + 1 : last(-1); HIDE(r); return r; }
int F deep(int n) { HIDE(n); return deeper(n); }
int main(int argc, char **argv)
{
	name = argv[0];
	how = argv[1];
	for (int i = 0; i < atoi(argv[2]); i++) {
		if (!fork())
			return deep(atoi(argv[3]));
		wait(NULL);
	}
	for (int i = 0; i < 3 && !is_child; i++)
		top(i);
	return 0;
}
C
gcc -O2 -o program program.c || fail "cannot compile"
same "$(jump_of program top)" "<last>" "it ends by a jump"

# 115 processes with 301 notes each are more than there is room for.
must_trace -x follow=fork -n 'pid$target:a.out:deep:return,pid$target:a.out:top:return { printf("%s %d\n", probefunc, (int)arg1); }' -c './program e 115 300'
same "$(sed '/^$/d' out)" "top 0
top 1
top 2" "the notes of processes that end"
# Each process executes the program again, which finds no notes.
must_trace -x follow=all -n 'pid$target:a.out:top:return,pid$target:a.out:deep:return { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c './program x 56 600'
same "$(sed '/^$/d' out)" "top 171" "the notes of processes that execute a program"

for follow in fork all; do
	must_trace -x follow=$follow -n 'pid$target:a.out:top:return { @[(int)arg1] = count(); } END { printa("%d %@d\n", @); }' -c './program f 0 0'
	same "$(sed '/^$/d' out | sort -n)" "0 1
1 1
2 1
100 1
101 1
102 1" "children of a function that was jumped to, follow=$follow"
done
