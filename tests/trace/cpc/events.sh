# What: software events are counted as the scheduler's tracepoint counts them; modes and wrong names.  Needs: btf
. "$LIB"
must_trace -n 'cpc:::context_switches-all-1 /pid == $target/ { @c["cpc"] = count(); }
	sdt:sched::sched_switch /pid == $target/ { @c["sdt"] = count(); }
	cpc:::page_faults-user-1 /pid == $target/ { @c["user"] = count(); @s["in the kernel"] = sum(arg0 != 0); @s["at"] = sum(arg1 != 0); }
	cpc:::page_faults-kernel-1 /pid == $target/ { @c["kernel"] = count(); @s["in user code"] = sum(arg1 != 0); }' \
	-c '/usr/bin/dd if=/dev/zero of=/dev/null bs=1M count=20 status=none'
[ "$(value_of cpc)" -gt 0 ] || fail "no switches"
same "$(value_of cpc)" "$(value_of sdt)" "context switches"
[ "$(value_of user)" -gt 0 ] || fail "no page faults"
same "$(value_of at)" "$(value_of user)" "page faults of user code"
contains '^ *in the kernel  *0$'
contains '^ *in user code  *0$'
"$DTRACE" -ln 'cpc:::page_faults-all-7' >out 2>err || fail "$(cat err)"
contains ' page_faults-all-7$'
"$DTRACE" -l -P cpc >out 2>err || fail "$(cat err)"
contains ' context_switches-all-1$'
for wrong in page_faults-all page_faults-both-1 page_faults-all-0 pagefaults-all-1 page_faults-all-1x; do
	"$DTRACE" -xerrtags -n "cpc:::$wrong { @ = count(); }" >out 2>err && fail "$wrong is a probe"
	grep -q 'D_PDESC_ZERO.*EVENT-MODE-COUNT' err || fail "$wrong: $(cat err)"
done
"$DTRACE" -n 'cpc:::cycles-all-4999 { @ = count(); }' >out 2>err && fail "too often"
grep -q '5000 is the least count' err || fail "$(cat err)"

# Events that the kernel names for this model of CPU (aarch64: armv8_pmuv3_0), with underscores for hyphens.
if ls /sys/bus/event_source/devices | grep -q "^cpu$\|pmu"; then
	named=$("$DTRACE" -l -P cpc | awk '$NF ~ /^(inst_retired|instructions)-all-/ { print $NF }' | head -n 1)
	[ -n "$named" ] || skip "this CPU counts no instructions"
	must_trace -n "cpc:::${named%-*}-50000 /pid == \$target/ { @c[\"instructions\"] = count(); }" \
		-c '/usr/bin/dd if=/dev/zero of=/dev/null bs=1M count=20 status=none'
	[ "$(value_of instructions)" -gt 0 ] || fail "no 50000 instructions"
	exit 0
fi
for there in l1d_loads-all-100000 llc_store_misses-user-5000 PAPI_tlb_dm-all-5000; do
	"$DTRACE" -n "cpc:::$there { @ = count(); }" >out 2>err && fail "$there without a PMU"
	grep -q 'does not count it' err || fail "$there: $(cat err)"
done
"$DTRACE" -n 'cpc:::cycles-all-1000000 { @ = count(); }' >out 2>err && fail "cycles without a PMU"
grep -q 'does not count it' err || fail "$(cat err)"
# -lvv: what is not counted here, too, and why
"$DTRACE" -lvvn cpc::: >out 2>err || fail "$(cat err)"
contains 'cpc  *cycles-all-1000000$' out
"$DTRACE" -ln 'cpc:::cycles-*' 2>err | grep -q cycles-all || contains 'Not on this kernel: this machine, or its kernel, does not count it' out
exit 0
