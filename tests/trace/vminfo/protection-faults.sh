# What: a write of a page that may only be read is a fault of its own, which the program handles; so is the first write of a page that
# a child shares.  Needs: btf cc
. "$LIB"
"$DTRACE" -ln vminfo:::prot_fault >out 2>&1
grep -q ' prot_fault$' out || skip "this kernel does not report why there are faults"
cat >writes.c <<'E2'
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char *pages;
static long size;

static void allow(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	mprotect((char *)((long)info->si_addr & -size), (size_t)size, PROT_READ | PROT_WRITE);
}

int main(void)
{
	size = sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, 200 * (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(pages, 200 * (size_t)size, MADV_NOHUGEPAGE);
	struct sigaction action = { .sa_sigaction = allow, .sa_flags = SA_SIGINFO };
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 200; i++)
		pages[i * size] = 1;
	mprotect(pages, 200 * (size_t)size, PROT_READ);
	getppid();
	for (int i = 0; i < 53; i++)
		pages[i * size] = 2;
	getppid();
	mprotect(pages, 200 * (size_t)size, PROT_READ | PROT_WRITE);
	if (fork() == 0) {
		getppid();
		for (int i = 0; i < 71; i++)
			pages[i * size] = 3;
		getppid();
		_exit(0);
	}
	return wait(NULL) < 0;
}
E2
gcc -O1 -o writes writes.c 2>err || fail "$(cat err)"
must_trace -n 'int on[int]; syscall::getppid:entry /progenyof($target)/ { on[pid] = !on[pid]; }
	vminfo:::prot_fault /on[pid]/ { @n[pid == $target ? "protected" : "copied"] = sum(arg0); }
	END { printa("%s %@d\n", @n); }' -c ./writes
same "$(value_of protected)" 53 "writes of pages that may only be read"
# The stack is shared with the child, too.
[ "$(value_of copied)" -ge 71 ] && [ "$(value_of copied)" -le 74 ] || fail "$(value_of copied) writes of 71 shared pages"
