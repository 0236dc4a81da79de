# What: parameters at the returns of a user function that calls itself, in several threads at once, after a longjmp() out of it, and
# of one that leaves by a jump: each return has those of its own call.  Needs: uprobe btf.  Executors: kernel (32 bits).
. "$LIB"
cat >deep.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>

static __thread jmp_buf out;

__attribute__((noinline)) int triple(int n, int thread, int until)
{
	if (n < until)
		longjmp(out, 1);
	int below = n ? triple(n - 1, thread, until) : 0;
	__asm__ volatile("" ::: "memory");
	return n ? below + 3 : 0;
}

__attribute__((noinline)) int jumps(int n, int thread)
{
	return triple(n, thread, 0);
}

static void *run(void *thread)
{
	for (int i = 0; i < 5; i++) {
		if (!setjmp(out))
			triple(20, (int)(intptr_t)thread, 10); /* 11 calls begin, none returns */
		jumps(30, (int)(intptr_t)thread);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[4];
	for (intptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run, (void *)(100 + i));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
mkdir providers
cat >providers/deep.prov <<'END'
provider deep {
	context pidclass;
	probe done (int n, int thread, int until, int result) {
		on uprobe a.out:triple return (int a, int b, int c) = r { n = a; thread = b; until = c; result = (int)r; }
	}
	probe jumped (int n, int thread, int result) { on uprobe a.out:jumps return (int a, int b) = r { n = a; thread = b; result = (int)r; } }
}
END
# 4 threads, 5 times: 31 calls that return
in_program() {
	must_trace -xprovdir=providers -n 'self int before; BEGIN { @n["wrong"] = sum(0); }
	deep$target:::done { @n["done"] = sum(1); @n["sum"] = sum(args[0]); self->thread = args[1]; }
	deep$target:::done /args[3] != 3 * args[0] || args[2] || args[1] < 100 || args[1] > 103/ { @n["wrong"] = sum(1); }
	deep$target:::done /self->before && self->before != args[1]/ { @n["wrong"] = sum(1); }
	deep$target:::done { self->before = args[1]; }
	deep$target:::jumped /args[0] == 30 && args[1] == self->thread && args[2] == 90/ { @n["jumped"] = sum(1); }' -c ./deep
	same "$(value_of done) $(value_of sum)" "620 9300" "returns, their first parameters"
	same "$(value_of wrong)" 0 "returns with other parameters"
	same "$(value_of jumped)" 20 "returns by a jump"
}
cat >many.c <<'END'
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline)) int leaf(int n)
{
	__asm__ volatile("" ::: "memory");
	return n;
}

__attribute__((noinline)) int descend(int n)
{
	volatile char here[64];
	here[0] = 1;
	int below = leaf(n) ? descend(n - 1) : 0;
	return here[0] + below;
}

__attribute__((noinline)) void stay(int n)
{
	syscall(SYS_exit, n);
}

static void *run(void *arg)
{
	stay(1);
	return arg;
}

int main(void)
{
	for (int i = 0; i < 3000; i++) { /* threads that end inside of it */
		pthread_t thread;
		pthread_create(&thread, NULL, run, NULL);
		pthread_join(thread, NULL);
	}
	return descend(30000) != 30001;
}
END
cat >providers/many.prov <<'END'
provider many {
	context pidclass;
	probe none (int n) { on uprobe a.out:leaf return (int a) = r when a < 0 { n = a; } }
	probe some (int n) { on uprobe a.out:leaf return (int a) = r when a % 10000 == 7 { n = a; } }
	probe stayed (int n) { on uprobe a.out:stay return (int a) = r { n = a; } }
}
END
gcc -O1 -fno-inline -fno-ipa-cp -foptimize-sibling-calls -pthread -o deep deep.c 2>err || fail "$(cat err)"
in_program
if gcc -m32 -O1 -fno-inline -fno-ipa-cp -pthread -o deep deep.c 2>err && ./deep; then
	in_program
fi
# What returns no more, or not as the condition wants it, leaves nothing in the tables.
gcc -O1 -fno-inline -fno-optimize-sibling-calls -pthread -o many many.c 2>err || fail "$(cat err)"
must_trace -xprovdir=providers -x dynvarsize=256k -qn 'many$target:::none, many$target:::some, many$target:::stayed { @[probename, args[0]] = count(); }' -c ./many
printf '%s\n' 'some 7 1' 'some 10007 1' 'some 20007 1' >wanted
awk 'NF { $1 = $1; print }' out | diff wanted - >differences || { cat differences; fail "other probes"; }
[ ! -s err ] || fail "$(cat err)"
