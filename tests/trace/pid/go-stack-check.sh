# What: a function of Go that begins again after its stack has grown was entered once.  Needs: uprobe x86_64.  Executors: kernel (Go).
. "$LIB"
# As Go's compiler has it: twice the check, as large frames have it; two of the ten calls begin again.
cat >grows.c <<'C'
__asm__(".section .gopclntab,\"a\"\n .long 0\n.text\n"
	".globl runtime.goexit, runtime.morestack_noctxt, main.grows\n"
	".type runtime.goexit, @function\n.type runtime.morestack_noctxt, @function\n.type main.grows, @function\n"
	"runtime.goexit: nop\n ret\n.size runtime.goexit, . - runtime.goexit\n"
	"runtime.morestack_noctxt: movq $0, limit(%rip)\n ret\n.size runtime.morestack_noctxt, . - runtime.morestack_noctxt\n"
	"main.grows: mov %rsp, %r12\n sub $0x2000, %r12\n jb 1f\n cmp limit(%rip), %r12\n jbe 1f\n"
	" sub $0x18, %rsp\n lea 1(%rdi), %eax\n add $0x18, %rsp\n ret\n"
	"1: mov %rdi, 8(%rsp)\n call runtime.morestack_noctxt\n mov 8(%rsp), %rdi\n jmp main.grows\n.size main.grows, . - main.grows\n");
unsigned long limit;
int grows(long n) __asm__("main.grows");
int main(void)
{
	int sum = 0;
	for (long i = 0; i < 10; i++) {
		long room[4] __attribute__((unused));
		limit = i % 5 ? 0 : ~0ul;
		sum += grows(i);
	}
	return sum != 55;
}
C
gcc -O1 -no-pie -o grows grows.c || fail "cannot compile"
for name in main.grows 'main.*'; do
	must_trace -x childstatus -c ./grows -n 'pid$target:a.out:'"$name"':entry { @n = count(); @v = sum(arg0); } pid$target:a.out:main.grows:return { @r = count(); }
		END { printa("%@d ", @n); printa("%@d ", @v); printa("%@d\n", @r); }'
	same "$(cat out)" "10 45 10" "$name"
done
must_trace -c ./grows -n 'pid$target:a.out:main.grows:entry /arg0 == 5/ { printf("%A %d", umod(ucaller), ustackdepth > 1); }'
same "$(cat out)" "grows 1" "its caller"
