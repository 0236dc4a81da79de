# What: parameters at the returns of a user function that calls itself, in several threads at once, after a longjmp() out of it, and
# of one that leaves by a jump: each return has those of its own call.  Needs: uprobe btf.
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
gcc -O1 -fno-inline -fno-ipa-cp -foptimize-sibling-calls -pthread -o deep deep.c 2>err || fail "$(cat err)"
in_program
if gcc -m32 -O1 -fno-inline -fno-ipa-cp -pthread -o deep deep.c 2>err && ./deep; then
	in_program
fi
