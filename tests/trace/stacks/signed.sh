# What: on aarch64 stacks are whole through signed return addresses, functions that call nothing, interrupted ones, and entries of .plt.  Needs: uprobe cc aarch64.
# Executors: kernel (aarch64).
. "$LIB"
cat >signed.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define KEEP __asm__ volatile("" ::: "memory")
#define APART __attribute__((noinline, noclone))
volatile long sink;
volatile sig_atomic_t stopped;
/* Nothing is called: the return address stays in x30. */
APART long leaf(long n)
{
	for (long i = 0; i < n; i++)
		sink += i;
	return sink;
}
APART long caller(long n)
{
	long got = leaf(n);
	KEEP;
	return got;
}
APART void in_handler(void)
{
	getppid();
	KEEP;
}
static void handler(int number)
{
	in_handler();
	stopped = 1;
}
/* Interrupted by a signal, it has saved nothing. */
APART void waits(void)
{
	while (!stopped)
		;
}
APART void outer(void)
{
	waits();
	KEEP;
}
APART int is_signed(void)
{
	unsigned long *frame = __builtin_frame_address(0);
	KEEP;
	getpid(); /* so that it has a frame */
	return frame[1] >> 48 != 0;
}
int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 50;
	fprintf(stderr, "signed: %d\n", is_signed());
	signal(SIGALRM, handler);
	ualarm(20000, 0);
	outer();
	caller(n);
	return 0;
}
C
flags="-O2 -fno-optimize-sibling-calls"
gcc $flags -mbranch-protection=pac-ret+leaf -o signed signed.c || fail "cannot compile"
gcc $flags -mbranch-protection=none -o plain signed.c || fail "cannot compile"
callers() { sed -n "s/^ *$1\`\([a-z_]*\).*/\1/p" out | tr '\n' ' '; }
for program in signed plain; do
	trace -n 'pid$target::leaf:entry /n++ == 0/ { ustack(); }' -c "./$program"
	same "$status $(callers $program)" "0 leaf caller main _start " "$program: first instruction"
	# an instruction in the loop
	at=$(objdump -d "$program" | sed -n '/<leaf>:/,/^$/s/^ *\([0-9a-f]*\):.*\tadd\t.*/\1/p' | tail -1)
	first=$(objdump -d "$program" | sed -n 's/^0*\([0-9a-f]*\) <leaf>:/\1/p')
	trace -n "pid\$target::leaf:$(printf %x $((0x$at - 0x$first))) /n++ == 0/ { ustack(); }" -c "./$program"
	same "$status $(callers $program)" "0 leaf caller main _start " "$program: nothing saved"
	trace -n 'pid$target::leaf:return /n++ == 0/ { ustack(); }' -c "./$program"
	same "$status $(callers $program | sed 's/^leaf //')" "0 caller main _start " "$program: return"
	trace -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "./$program"
	same "$status $(callers $program)" "0 in_handler handler waits outer main _start " "$program: interrupted"
	trace -n 'profile-397 /pid == $target/ { @[ustack()] = count(); }' -c "./$program 30000000"
	grep -A 2 "^ *$program\`leaf" out | tr -d '\n' | grep -q "caller.*main" || fail "$program: no caller in profile"
done
# Else this has shown nothing of signatures: the processor knows none.
grep -q paca /proc/cpuinfo || exit 0
./signed 2>err
contains "signed: 1" err
