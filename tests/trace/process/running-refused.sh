# What: -p with executor=process is refused by name where the process cannot be stopped or changed, and nothing is changed then; second tracers in both orders.
# Needs: x86_64 cc.  Executors: usual (it names them).
. "$LIB"
cat >busy.c <<'C'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
static volatile int ends;
__attribute__((noinline)) long work(long n) { volatile long k = n; return n * 3 + k; }
static void on_end(int s) { ends = 1; }
int main(int argc, char **argv)
{
	struct sock_filter code[] = { BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
	struct sock_fprog program = { 1, code };
	const char *how = argc > 1 ? argv[1] : "";
	signal(SIGTERM, on_end);
	if (!strcmp(how, "filters") && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)))
		return 3;
	if (!strcmp(how, "hidden") && prctl(PR_SET_DUMPABLE, 0))
		return 3;
	for (long n = 0; !ends; n++) {
		if (work(n) != n * 4)
			abort();
		if (!strcmp(how, "vfork") && vfork() == 0) {
			sleep(3);
			_exit(0);
		}
	}
	return 0;
}
C
cc -w -O1 -o busy busy.c || fail 'the program'
clause='pid$target:a.out:work:entry { @ = count(); } tick-50ms /++n == 2/ { exit(0); }'
begin() {
	./busy "$@" &
	target=$!
	sleep 0.2
}
end() {
	kill -TERM "$target"
	wait "$target" || fail "its status: $?"
}
refused() {
	before=$(wc -l <"/proc/$target/maps")
	trace -x executor=process -n "$clause" -p "$target"
	[ "$status" -eq 1 ] || fail "status $status: $1"
	contains "$1" err
	[ "$(wc -l <"/proc/$target/maps")" -eq "$before" ] || fail "its memory is changed: $1"
	grep -q '^TracerPid:.*[1-9]' "/proc/$target/status" && [ "${2-}" != traced ] && fail "it is traced: $1"
	true
}
works() {
	trace -x executor=process -n "$clause" -p "$target"
	[ "$status" -eq 0 ] || fail "status $status: $1"
	[ ! -s err ] || fail "messages: $1"
}
begin filters
refused 'it filters its system calls (seccomp), and may not make those for the shared memory: use executor=kernel'
end
begin vfork
refused 'its thread [0-9]* waits in the kernel and does not stop (as after vfork()'
kill -KILL "$target"
wait "$target"

# Users, and a process that nobody may look into.
if [ "$(id -u)" = 0 ]; then
	nobody() {
		exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
	}
	chmod 755 . busy
	if (nobody test -x ./busy) && (nobody test -x "$DTRACE"); then
		nobody ./busy &
		target=$!
		sleep 0.2
		(nobody "$DTRACE" -qx executor=process -n "$clause" -p "$target" >out 2>err) || fail "status $?: a user's own"
		[ "$(tr -d ' \n' <out)" -gt 0 ] || fail "a user's own"
		end
		nobody ./busy hidden &
		target=$!
		sleep 0.2
		(nobody "$DTRACE" -qx executor=process -n "$clause" -p "$target" >out 2>err) && fail 'one that nobody may look into'
		contains 'cannot be read\|the kernel lets nobody look into it but root' err
		end
	fi
fi

# A PID namespace of its own; a mount namespace, where it works.
if unshare -pf true 2>/dev/null; then
	unshare -pf ./busy &
	parent=$!
	sleep 0.3
	target=$(cat "/proc/$parent/task/$parent/children")
	target=${target% }
	refused 'it is in another PID namespace'
	kill -TERM "$target"
	wait "$parent"
	mkdir there
	unshare -m sh -c 'mount -t tmpfs none there && cp busy there && exec there/busy' &
	target=$!
	sleep 0.4
	works 'a mount namespace'
	end
fi

# Another dtrace.
begin
"$DTRACE" -qx executor=process -n 'BEGIN { printf("begun\n"); } pid$target:a.out:work:entry { @ = count(); }' -p "$target" >first 2>&1 &
first=$!
until_true 10 grep -qs begun first || fail 'the first one'
trace -x executor=process -n "$clause" -p "$target"
[ "$status" -eq 1 ] || fail "status $status of the second one"
contains 'another dtrace traces it from inside' err
kill -TERM "$first"
wait "$first" || fail "the first one: $?"
works 'after another dtrace'

# A debugger: before, and when the jumps are to be taken out; after it all is well.
if command -v gdb >/dev/null; then
	debug() {
		mkfifo commands
		gdb -q -nx -p "$target" <commands >debugger 2>&1 &
		debugger=$!
		exec 3>commands
		until_true 20 grep -q '^TracerPid:.*[1-9]' "/proc/$target/status" || fail 'gdb'
	}
	debug
	refused 'cannot stop process [0-9]*: gdb (process [0-9]*) traces it, and a process has one tracer' traced
	echo detach >&3
	exec 3>&-
	wait "$debugger"
	rm commands
	works 'after a debugger'
	rm first
	"$DTRACE" -qx executor=process -n 'BEGIN { printf("begun\n"); } pid$target:a.out:work:entry { @ = count(); }' -p "$target" >first 2>&1 &
	first=$!
	until_true 10 grep -qs begun first || fail 'the first one'
	debug
	kill -TERM "$first"
	wait "$first" || fail "status $?: $(cat first)"
	contains 'jumps of probes stay in process [0-9]*, without effect: .*gdb (process [0-9]*) traces it' first
	echo detach >&3
	exec 3>&-
	wait "$debugger"
	works 'after jumps that stayed'
	grep -q memfd:dtrace "/proc/$target/maps" && fail 'they stay'
fi
end
exit 0
