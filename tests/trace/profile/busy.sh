# What: beside processes that compute and that make traced system calls, profile-100 fires never too often, and what is missing it was late for.
. "$LIB"
cpus=$(getconf _NPROCESSORS_ONLN)
on_each_cpu "$TRIGGERS/spin" 60000
on_each_cpu dd if=/dev/zero of=/dev/null bs=1
# The times are those at which the timer was due; a firing that is late by whole periods stands for those, too.
must_trace -n 'syscall::read:entry, syscall::write:entry { @calls = count(); }
	profile-100 { due = timestamp - arg2; @fired[cpu] = count(); @stood[cpu] = sum(arg2 / 10000000); @first[cpu] = min(due); @last[cpu] = max(due); }
	tick-4s { exit(0); }
	END { printa("%d %@d %@d %@d %@d\n", @fired, @stood, @first, @last); printa("calls %@d\n", @calls); }'
awk '$1 == "calls" { calls = $2; next }
	NF == 5 && $2 { cpus++; periods = int(($5 - $4) / 10000000 + 0.5) + 1; print "CPU", $1, "periods", periods, "fired", $2, "late", $3
		if ($2 > periods || $2 + $3 < periods * 0.9) wrong++ }
	END { print "CPUs", cpus, "calls", calls; exit !(cpus == '"$cpus"' && calls > 10000 && !wrong) }' out >counts || {
	cat counts
	fail "firings that are too many, or missing"
}
