# What: user stacks of code without frame pointers are whole in system calls, at functions and in profiles.  Needs: uprobe cc jsonschema.
# Executors: kernel (its probes are of system calls).
. "$LIB"
cat >deep.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define KEEP __asm__ volatile("" ::: "memory")
volatile long sink;
__attribute__((noinline)) void leaf(int n)
{
	char room[100];
	memset(room, n, sizeof(room));
	sink += room[n & 63];
	getppid();
	KEEP;
}
/* frames of different sizes, the last of them with more than a piece of the stack */
#define CALLER(name, next, size)                       \
	__attribute__((noinline)) void name(int n)     \
	{                                              \
		char room[size];                       \
		memset(room, n, sizeof(room));         \
		sink += room[n & 7];                   \
		next(n + 1);                           \
		sink += room[1];                       \
		KEEP;                                  \
	}
CALLER(one, leaf, 8)
CALLER(two, one, 24)
CALLER(three, two, 200)
CALLER(four, three, 5000)
CALLER(five, four, 40000)
__attribute__((noinline)) void deeper(int n)
{
	if (n)
		deeper(n - 1);
	else
		leaf(0);
	sink += n;
	KEEP;
}
static void handler(int number)
{
	leaf(number);
}
int main(int argc, char **argv)
{
	long loops = argc > 1 ? atol(argv[1]) : 1;
	int depth = argc > 2 ? atoi(argv[2]) : 0;
	stack_t other = { .ss_sp = malloc(65536), .ss_size = 65536 };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	for (long i = 0; i < loops; i++)
		five(0);
	if (depth)
		deeper(depth);
	if (argc > 3) {
		sigaltstack(&other, NULL);
		sigaction(SIGUSR1, &action, NULL);
		raise(SIGUSR1);
	}
	return 0;
}
C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o deep deep.c || fail "cannot compile"
callers() { # from FUNCTION on: the functions of deep in the first stack of out, in a line
	sed -n 's/^ *deep`\([a-z_]*\).*/\1/p' out | tr '\n' ' '
}
machine=$(uname -m)
rest='one two three four five main _start '

trace -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./deep
same "$status $(callers) $(cat err)" "0 leaf $rest " "a system call"
trace -n 'syscall::getppid:return /pid == $target/ { ustack(); }' -c ./deep
same "$status $(callers) $(cat err)" "0 leaf $rest " "its return"
trace -n 'pid$target::leaf:entry { ustack(); }' -c ./deep
same "$status $(callers) $(cat err)" "0 leaf $rest " "a function's first instruction"
trace -n 'pid$target::two:return { ustack(); }' -c ./deep
same "$status $(callers | sed 's/^two //') $(cat err)" "0 three four five main _start  " "a return"
trace -n 'pid$target:deep::entry { @[probefunc, ustackdepth] = count(); }' -c ./deep
same "$(awk '$1 == "leaf" || $1 == "five" { print $1, $2 }' out | sort -t' ' -k2n | tr '\n' ' ')" "five 5 leaf 10 " "depths"
trace -n 'syscall::getppid:entry /pid == $target/ { ustack(2); printf("%A\n", uaddr(ucaller)); }' -c ./deep
contains 'deep`leaf+' out

# Return probes of the kernel, pending on all of them, have replaced their return addresses.
trace -x pidret=kernel -n 'pid$target:deep::return {} syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./deep
same "$status $(callers) $(grep -v 'warning: pidret=kernel' err)" "0 leaf $rest " "among return probes"

# More frames than kernel.perf_event_max_stack.
trace -n 'syscall::getppid:entry /pid == $target && ustackdepth > 600/ { ustack(1000); trace(ustackdepth); }' -c './deep 0 700'
same "$status $(grep -c 'deep`deeper+' out) $(callers | tr ' ' '\n' | tail -1) $(grep -c '^ *70[0-9]$' out) $(cat err)" \
	"0 701 _start 1 " "700 calls"

# Through a signal's frame, from an alternate stack.
trace -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c './deep 0 0 signal'
check_json
same "$(grep -c '"symbol":"handler".*"found":"signal".*"symbol":"main".*"symbol":"_start".*"ended":"whole"' out)" 1 "a signal"

# C's start files have no tables for the beginnings and ends of .init and .fini, to which OpenSSL adds calls.
if [ "$machine" = x86_64 ]; then
	cat >starts.c <<'C'
#include <unistd.h>
__attribute__((noinline, used)) static void asks(void) { getppid(); __asm__ volatile("" ::: "memory"); }
__asm__(".section .init, \"ax\"\ncall asks\n.section .fini, \"ax\"\ncall asks\n.text");
int main(void) { return 0; }
C
	gcc -O2 -fomit-frame-pointer -o starts starts.c || fail "cannot compile"
	trace -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./starts
	same "$(grep -c '"symbol":"asks".*"symbol":"_\(init\|fini\)".*"symbol":"_start".*"ended":"whole"' out) $(cat err)" "2 " "stacks of _init and _fini"
fi

# Lazy binding, whose stub has its CFA in rbx (x86_64) or below the return address (aarch64), and vfork(),
# whose return address is in rdi on x86_64.
cat >lazy.c <<'C'
#include <math.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) double calls(double x)
{
	pid_t child = vfork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	return exp(x) + sin(x);
}
int main(int argc, char **argv)
{
	return calls(argc) < 0;
}
C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -Wl,-z,lazy -o lazy lazy.c -lm || fail "cannot compile"
# the linker's own functions have names only with libc's debug symbols (libc6-dbg)
linker='pid$target:ld-linux-*:_dl_lookup_symbol_x:entry' least=4
vfork=vfork
[ "$machine" = x86_64 ] || vfork=clone # which vfork() calls there
trace -l -n "$linker" -c ./lazy
grep -q "_dl_lookup_symbol_x" out || linker=BEGIN least=1
trace -x oformat=json -n "$linker"', syscall::'$vfork':entry /pid == $target/ { ustack(); }' -c ./lazy
stacks=$(grep -c '"symbol":"calls".*"symbol":"main"' out)
[ "$stacks" -ge "$least" ] || fail "only $stacks stacks in calls()"
same "$(grep '"symbol":"calls"' out | grep -vc '"ended":"whole"')" 0 "stacks that are not whole"
[ "$linker" = BEGIN ] || contains '"symbol":"_dl_runtime_resolve[a-z_]*".*"symbol":"calls"' out
contains '"symbol":"_*vfork".*"symbol":"calls"' out

# A function that chooses an implementation, called by the linker's own, which the stub has called.
if [ "$machine" = x86_64 ]; then
	cat >chosen.c <<'C'
static int one(void) { return 1; }
__attribute__((noinline)) void *choose(void) { return one; }
int chosen(void) __attribute__((ifunc("choose")));
C
	cat >calls.c <<'C'
extern int chosen(void);
__attribute__((noinline)) int calls(void) { return chosen() + 1; }
int main(void) { return calls() != 2; }
C
	gcc -O2 -shared -fPIC -o libchosen.so chosen.c && gcc -O2 -Wl,-z,lazy -fno-optimize-sibling-calls -o chooses calls.c -L. -lchosen -Wl,-rpath,"$PWD" || fail "cannot compile"
	trace -x oformat=json -n 'pid$target:libchosen.so:choose:entry { ustack(); }' -c ./chooses
	same "$(grep -c '"symbol":"choose".*"symbol":"_dl_runtime_resolve[a-z_]*".*"symbol":"calls".*"ended":"whole"' out) $(cat err)" "1 " "a stack of what chooses"
fi

# By frame pointers nobody finds them.  (gcc keeps them on aarch64, but in functions that call nothing.)
trace -x ustack=fp -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./deep
[ "$(callers)" != "leaf $rest" ] || [ "$machine" = aarch64 ] || fail "frame pointers are there"

trace -n 'profile-997 /pid == $target/ { @[ustack()] = count(); }' -c './deep 400000'
same "$status" 0 "status of profile"
[ "$(grep -c 'deep`_start' out)" -ge 5 ] || fail "few stacks"
# of a process that ends the memory is gone
whole=$(awk '$1 == "..." && last ~ /_exit/ { last = "_start"; next } NF == 0 && frames { stacks++; if (last ~ /_start|_dl_|ld-linux/) whole++; frames = 0 } NF && !/^ *[0-9]+$/ { frames++; last = $0 } /^ *[0-9]+$/ && frames { stacks++; if (last ~ /_start|ld-linux/) whole++; frames = 0 } END { print stacks == whole }' out)
same "$whole" 1 "stacks of profile that are whole"

# A caller that only a frame pointer finds may be a wrong one, and so may a depth.
if [ "$machine" = x86_64 ]; then
	keeps='push %rbp\nmov %rsp, %rbp\nmov $110, %eax\nsyscall\npop %rbp\nret'
else
	flags=-fno-omit-frame-pointer # else the stack pointer is not known after it
	keeps='stp x29, x30, [sp, #-16]!\nmov x29, sp\nmov x8, #173\nsvc #0\nldp x29, x30, [sp], #16\nret'
fi
cat >>deep.c <<C
__asm__(".text\n.globl bare\n.type bare, %function\nbare: $keeps\n.size bare, . - bare\n");
extern void bare(void);
__attribute__((constructor, noinline)) static void before_main(void) { bare(); KEEP; }
C
gcc -O2 ${flags:--fomit-frame-pointer} -fno-optimize-sibling-calls -o bare deep.c || fail "cannot compile"
trace -x oformat=json -n 'syscall::getppid:entry /pid == $target && n++ == 0/ { ustack(); trace(ustackdepth); trace(ucaller); }' -c ./bare
contains '"symbol":"before_main"[^}]*"found":"pointer"' out
contains '"count":1,"text":"1 value of ustackdepth, ucaller or a kept ustack() whose user stack may have more callers"' out
