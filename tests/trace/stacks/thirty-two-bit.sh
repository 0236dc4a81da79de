# What: stacks of 32-bit programs without frame pointers are whole: at functions, in system calls, in profiles, in signal handlers, of unnamed processes.  Needs: uprobe x86_64.
# Executors: kernel (32 bits).
. "$LIB"
cat >deep.c <<'C'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define ALONE __attribute__((noipa))
volatile int sink;
ALONE void leaf(int n)
{
	sink += n;
	getppid();
	sink++;
}
ALONE int third(int n)
{
	volatile char room[300];
	memset((void *)room, n, sizeof(room));
	leaf(n);
	return room[n & 7];
}
ALONE int second(int n) { return third(n) + 1; }
ALONE int compare(const void *a, const void *b) { return second(*(const int *)a) - *(const int *)b; }
ALONE void sort(int n)
{
	int v[2] = { n, 1 };
	qsort(v, 2, sizeof(int), compare);
	sink += v[0];
}
static void handler(int number) { sink += second(number); }
int main(int count, char **words)
{
	signal(SIGUSR1, handler);
	for (int i = atoi(words[1]); i; i--)
		count > 3 ? (void)second(i) : sort(i);
	raise(SIGUSR1);
	if (count > 2)
		sleep(atoi(words[2]));
	return 0;
}
C
gcc -m32 -O2 -fomit-frame-pointer -o deep deep.c 2>/dev/null && ./deep 1 || skip "no 32-bit programs here"

# The names of the frames of each stack of the output, in one line; nameless ones are a dot.
stacks() { awk 'NF == 1 && /`|0x/ { sub(/.*`/, ""); sub(/[+].*/, ""); sub(/0x.*/, "."); s = s $0 " "; next } s { print s; s = "" }' out | sort; }

sorted='third second compare .* qsort sort main .* __libc_start_main.* _start $'
signalled='third second handler __kernel_sigreturn __kernel_vsyscall .* raise main .* __libc_start_main.* _start $'
whole() { # WHAT FIRST
	same "$(stacks | grep -cE "^$2 $sorted")" 1 "$1 in a callback"
	same "$(stacks | grep -cE "^$2 $signalled")" 1 "$1 in a handler"
	same "$(stacks | wc -l)" 2 "$1: stacks"
}
must_trace -qn 'pid$target:a.out:leaf:entry { @[ustack()] = count(); }' -c './deep 1'
whole 'a function' 'leaf'
must_trace -qn 'syscall::getppid:entry /pid == $target/ { @[ustack()] = count(); }' -c './deep 1'
whole 'a system call' '__kernel_vsyscall getppid leaf'
must_trace -qn 'pid$target:a.out:second:return { } pid$target:a.out:leaf:entry { @[ustack()] = count(); @c[usym(ucaller)] = count(); @d[ustackdepth >= 10] = count(); }' -c './deep 1'
whole 'after a return probe' 'leaf'
contains 'deep`third  *2$'
contains '^ *1  *2$'
for way in fp auto; do
	must_trace -x ustack=$way -qn 'pid$target:a.out:leaf:entry { @[ustack(2)] = count(); }' -c './deep 1'
	contains 'deep`third' out
done

# Not by qsort(): the memcpy() that it calls (i586) pushes a register, and its tables do not say so.
must_trace -qn 'profile-997 /pid == $target && arg1/ { @[ustack()] = count(); }' -c './deep 300000 0 x'
# The loader has a beginning of its own, without a name.
same "$(awk 'BEGIN { RS = "" } !/`_start[+]/ && !/ld-linux[^`]*`[^\n]*\n *[0-9]+$/' out)" '' 'stacks of a profile that do not begin at _start'

# A process that nobody has named, later: its files and its vdso are met by the first stack.
"$DTRACE" -qn 'BEGIN { printf("ready\n"); } syscall::getppid:entry /execname == "deep"/ { @[ustack()] = count(); n++; }
	tick-10ms /n == 2/ { exit(0); }' >out 2>err &
tracer=$!
is_ready() { grep -q ready out; }
until_true 10 is_ready || fail "it does not trace"
./deep 1 2
wait "$tracer" || fail "status of the tracer"
sed -i /ready/d out
whole 'an unnamed process' '__kernel_vsyscall getppid leaf'
same "$(cat err)" '' 'messages'
