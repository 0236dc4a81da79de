# What: another tracer, bpftrace, finds probes that a program creates at run time in memory, with their values, and its semaphore falls when it ends.  Needs: uprobe.
# Executors: kernel process.
. "$LIB"
command -v bpftrace >/dev/null || skip "bpftrace is not installed"
[ -n "$OWN_MOUNTS" ] || exec env OWN_MOUNTS=1 unshare -m sh "$0"
[ -e /sys/kernel/tracing/events ] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null || skip "no tracefs can be mounted"
cat >program.c <<'C'
#include <stdio.h>
#include <unistd.h>
#include "dtrace-usdt.h"
int main(void)
{
	struct dtusdt_provider *p = dtusdt_provider("others_see");
	struct dtusdt_probe *a = dtusdt_probe(p, "it", "int8_t, uint16_t, int, char *, int64_t");
	int was_traced = 0;
	if (!a || dtusdt_enable(p) < 0) return 1;
	for (int i = 0; i < 6000; i++, usleep(10000)) {
		int is_traced = dtusdt_fire(a, -5, 65000, -70000, "a string", -((int64_t)1 << 40));
		if (was_traced && !is_traced) return 0; /* the tracer has gone */
		was_traced |= is_traced;
	}
	return 2;
}
C
build_usdt gcc program program.c
./program &
target=$!
mapped() { grep -qs 'r-xp.*memfd:others_see' "/proc/$target/maps"; }
until_true 10 mapped || fail "no probe"
timeout 60 bpftrace -p $target -e 'usdt:*:others_see:it { printf("%d %d %d %s %ld\n", (int8)arg0, arg1, (int32)arg2, str(arg3), arg4); exit(); }' >out 2>err
contains '^-5 65000 -70000 a string -1099511627776$'
wait $target
same "$?" 0 "status of the program, which waits for the tracer's end"
exit 0
