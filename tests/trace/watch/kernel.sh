# What: writes of a field of the kernel are as many as the events that write it; wrong names; one register too many.  Needs: btf watchpoints.
. "$LIB"
# A thread's count of voluntary switches is written where it leaves a CPU.
: >counts
commanded
background -n 'syscall::getppid:entry /pid == '"$child"'/ { printf("at %x\n", (uint64_t)&curthread->nvcsw); exit(0); }' -xswitchrate=10ms
until_true 10 has_executed "$child" commanded
attached() { tell 1 && grep -q '^at ' out; }
until_true 10 attached || fail "no address"
wait "$pid"
address=$(sed -n 's/^at //p' out | head -n 1)
background -n 'BEGIN { printf("traced\n"); }
	watch:::0x'"$address"'+8:w { @n["writes"] = count(); @s["in the kernel"] = sum(arg1 < 0); @s["where"] = sum(arg0 == 0x'"$address"'); }
	rawtp:::sched_switch /pid == '"$child"' && !args[0] && args[1]->__state != 0/ { @n["sleeps"] = count(); }' -xswitchrate=10ms
until_true 10 grep -q traced out || fail "not traced"
for _ in 1 2 3 4 5 6 7 8 9 10; do tell 1; done
kill -INT "$pid"
wait "$pid" || fail "status $?"
[ "$(value_of writes)" -ge 9 ] || fail "only $(value_of writes) writes"
same "$(value_of where)" "$(value_of writes)" "addresses"
same "$(awk '/in the kernel/ { print $NF }' out)" "$(value_of writes)" "instructions of the kernel"
difference=$(($(value_of sleeps) - $(value_of writes)))
[ "$difference" -ge -1 ] && [ "$difference" -le 1 ] || fail "$(value_of sleeps) sleeps"

refused() {
	"$DTRACE" -xerrtags -n "$1 { @ = count(); } BEGIN { exit(0); }" >out 2>err && fail "$1 is a probe"
	grep -q "D_PDESC_ZERO.*$2" err || fail "$1: $(cat err)"
}
refused 'watch:::0x1234' 'is not an address of the kernel'
refused 'watch:::0xffff800000000001+4:w' 'is not a multiple of the length'
refused 'watch:::0xffff800000000000+3' 'the length is 1, 2, 4 or 8'
refused 'watch:::0xffff800000000000:q' 'it is written watch:MODULE'
refused 'watch:::0x12x' 'it is written watch:MODULE'
refused 'watch:::`no_such_symbol' "has no symbol 'no_such_symbol'"
refused 'watch:::0xffff800000000000+8:x' 'an instruction has no LENGTH'
refused 'watch:::*' 'does not match'
[ "$(uname -m)" = x86_64 ] && refused 'watch:::0xffff800000000000:r' 'cannot watch reads alone'
[ -d /sys/bus/event_source/devices/kprobe ] || refused 'watch:::0xffff800000000000:x' 'no kprobes'

# One more than there are: its name is in the message, and nothing is traced.
i=0
more=
while [ $i -lt 20 ]; do
	more="$more $(printf 'watch:::0x%x:w' $((i * 8 - 0x800000000000))) { @ = count(); }"
	i=$((i + 1))
done
"$DTRACE" -n "$more BEGIN { exit(0); }" >out 2>err && fail "20 registers"
grep -q "failed to create w probe for '0xffff8000.*+8': all debug registers are taken" err || fail "$(cat err)"
exit 0
