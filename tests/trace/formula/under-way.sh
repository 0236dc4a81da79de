# What: a return of a user function whose entry was before tracing began is none of a formula that reads its parameters: no firing, no
# fault; the next call is.  Needs: uprobe btf cc.  Executors: kernel (calls that began before the start are the kernel's to know).
. "$LIB"
cat >waits.c <<'END'
#include <unistd.h>

__attribute__((noinline)) int waits(int *number, const char *path)
{
	while (access(path, F_OK) != 0)
		usleep(10000);
	return *number;
}

int main(void)
{
	int number = 7;
	waits(&number, "first");
	waits(&number, "second");
	for (;;)
		usleep(10000);
}
END
cc -O1 -o waits waits.c || fail "not compiled"
mkdir providers
cat >providers/waits.prov <<'END'
provider waits {
	context pidclass;
	probe done (int n) { on uprobe a.out:waits return (int *number, char *path) = r when *number == r { n = r; } }
}
END
for way in kernel insn; do
	rm -f first second
	./waits &
	child=$!
	trap 'kill $child 2>/dev/null' EXIT
	wait_for_program $child waits
	background -xprovdir=providers -x pidret=$way -n 'BEGIN { printf("ready\n"); } waits$target:::done { printf("done %d\n", args[0]); }' -p $child
	until_true 20 grep -q '^ready' out || fail "never ready: $(cat err)"
	touch first
	sleep 0.1
	touch second
	until_true 20 grep -q '^done' out || fail "no return with pidret=$way"
	kill $child
	wait "$pid"
	same "$? $(grep -c '^done 7' out) $(grep -v pidret=kernel.replaces err)" "0 1 " "status, returns and messages with pidret=$way"
done
