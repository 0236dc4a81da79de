# What: where a C library has static probes for its locks, acquisitions are those; what they do not have is seen at functions.  Needs: uprobe btf cc.
# Executors: kernel (it reads the kernel's words).
. "$LIB"
cat >program.c <<'C'
#include <pthread.h>
#include "notes.h"
static int number[4];
int main(void)
{
	for (int i = 0; i < 7; i++) {
		STATIC_PROBE("libc", "mutex_acquired", "0", "8@%0", "nor"(&number[0]));
		STATIC_PROBE("libc", "rdlock_acquire_read", "0", "8@%0", "nor"(&number[1]));
		STATIC_PROBE("libc", "wrlock_acquire_write", "0", "8@%0", "nor"(&number[2]));
	}
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	for (int i = 0; i < 3; i++)
		if (pthread_mutex_trylock(&m) == 0)
			pthread_mutex_unlock(&m);
	return 0;
}
C
${CC:-cc} -O2 -I"$checkout/tests/trace/triggers" -o program program.c -pthread || fail "no program"
must_trace -n 'plockstat$target:::mutex-acquire,plockstat$target:::mutex-release /args[0]->kind == 0/ { @[probename, 0, args[1]] = count(); }
	plockstat$target:::rw-acquire { @[probename, 1, args[1]] = count(); }' -c ./program
contains '^ *mutex-acquire  *0  *0  *10$'
contains '^ *mutex-release  *0  *0  *3$'
contains '^ *rw-acquire  *1  *0  *7$'
contains '^ *rw-acquire  *1  *1  *7$'
"$DTRACE" -lvvn 'plockstat$target:::mutex-acquire' -c ./program >out 2>err || fail "$(cat err)"
contains "Note: by glibc's static probes"
"$DTRACE" -lvvn 'plockstat$target:::mutex-acquire' -c true >out 2>err || fail "$(cat err)"
contains 'Events: uprobe libc.so.6+0x[0-9a-f]*, .*uprobe libc.so.6+0x'
contains 'Not chosen: line .* does not match any probes: .* static probes'
