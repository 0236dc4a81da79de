# What: profile-997hz with ustack(5): as many samples as CPU time, all in spin_inner below spin_outer.
. "$LIB"
must_trace -n 'profile-997hz /pid == $target/ { @[ustack(5)] = count(); @n["samples"] = count(); }' -c "$TRIGGERS/spin 1500"
wanted=$(($(counted cpu_ms) * 997 / 1000))
got=$(value_of samples)
# Time taken by a hypervisor counts as CPU time, but has no samples.
[ "$got" -ge $((wanted * 40 / 100)) ] && [ "$got" -le $((wanted * 115 / 100)) ] || fail "$got samples, wanted about $wanted"
contains '^              spin`spin_inner'
grep -A 1 '^              spin`spin_inner' out | grep -q '^              spin`spin_outer' || fail "no caller"
