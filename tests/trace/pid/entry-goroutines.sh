# What: entry(EXPR) at returns of Go's functions, whose stack has moved since their entries; other goroutines are at the places where it was.  Needs: uprobe x86_64.
# Executors: kernel (Go).
. "$LIB"
# As Go has it: r14 is struct g, which begins with the bounds of the stack; recursion, and at its end the stack is copied elsewhere.
cat >moves.c <<'C'
struct g { unsigned long lo, hi; };
static char stacks[3][8192] __attribute__((aligned(16)));
unsigned long new_lo, new_hi;
long run(struct g *g, long n);
__asm__(".section .gopclntab,\"a\"\n .long 0\n.text\n"
	".globl runtime.goexit, runtime.copystack, main.deep, run\n"
	".type runtime.goexit, @function\n.type runtime.copystack, @function\n.type main.deep, @function\n.type run, @function\n"
	"runtime.goexit: nop\n ret\n.size runtime.goexit, . - runtime.goexit\n"
	"runtime.copystack: mov 8(%r14), %rcx\n sub %rsp, %rcx\n mov new_hi(%rip), %rdi\n sub %rcx, %rdi\n mov %rdi, %rdx\n mov %rsp, %rsi\n rep movsb\n"
	" mov %rdx, %rsp\n mov new_lo(%rip), %rdx\n mov %rdx, (%r14)\n mov new_hi(%rip), %rdx\n mov %rdx, 8(%r14)\n ret\n.size runtime.copystack, . - runtime.copystack\n"
	"main.deep: sub $0x18, %rsp\n mov %rdi, 8(%rsp)\n test $7, %dil\n je 1f\n dec %rdi\n call main.deep\n jmp 2f\n1: call runtime.copystack\n"
	"2: mov 8(%rsp), %rax\n add $0x18, %rsp\n ret\n.size main.deep, . - main.deep\n"
	"run: push %r14\n push %rbp\n mov %rsp, %rbp\n mov %rdi, %r14\n mov 8(%r14), %rsp\n mov %rsi, %rdi\n call main.deep\n mov %rbp, %rsp\n pop %rbp\n pop %r14\n ret\n.size run, . - run\n");
int main(void)
{
	struct g g[2];
	int sum = 0;
	for (long i = 0; i < 12; i++) {
		g[i % 2] = (struct g) { (unsigned long)stacks[i % 3], (unsigned long)(stacks[i % 3] + 8192) };
		new_lo = (unsigned long)stacks[(i + 1) % 3];
		new_hi = (unsigned long)(stacks[(i + 1) % 3] + 8192);
		sum += run(&g[i % 2], i * 8 + 5) != i * 8 + 5;
	}
	return sum;
}
C
gcc -O1 -no-pie -o moves moves.c || fail "cannot compile"
./moves || fail "the program alone"
must_trace -x childstatus -c ./moves -n 'pid$target:a.out:main.deep:return { @n = count(); @bad = sum(entry(arg0) != arg1); } END { printa("%@d ", @n); printa("%@d\n", @bad); }'
same "$(cat out)" "72 0" "values of each call"
same "$(cat err)" "" "all entries were seen"
