# What: profile-4999, a busy system call and a busy function at once: every record is right, none is lost unsaid.  Needs: uprobe two-cpus.
# Executors: kernel process.
. "$LIB"
trace -b 16m -n 'pid$target::marked:entry { printf("m %d %d %s\n", arg0, arg1, probefunc); @m = count(); }
	syscall::getpgid:entry /pid == $target/ { this->s = strjoin("t", strjoin(execname, "!")); printf("g %d %s\n", arg0, this->s); @g = count(); }
	profile-4999 /pid == $target/ { printf("p %s %d\n", strjoin(execname, "?"), arg0 != 0 || arg1 != 0); @p = count(); }
	END { printa("fired m %@d\n", @m); printa("fired g %@d\n", @g); printa("fired p %@d\n", @p); }' \
	-c "$TRIGGERS/stress 1500"
same "$status" 0 status
awk -v drops="$(drops)" -v zero="$(counted thread0)" -v one="$(counted thread1)" '
function wrong(text) { print text; bad++ }
$1 == "fired" { fired[$2] = $3; next }
$1 == "m" {
	if ($4 != "marked" || NF != 4 || ($2 != 0 && $2 != 1)) wrong("record " $0)
	if ($3 <= last_m[$2]) wrong("twice or out of order: " $0)
	last_m[$2] = $3; m++; next
}
$1 == "g" {
	if ($3 != "tstress!" || NF != 3) wrong("record " $0)
	thread = $2 >= 1610612736
	i = $2 - 536870912 - (thread ? 1073741824 : 0)
	if (i <= last_g[thread]) wrong("twice or out of order: " $0)
	last_g[thread] = i; g++; next
}
$1 == "p" {
	if ($2 != "stress?" || $3 != 1 || NF != 3) wrong("record " $0)
	p++; next
}
NF { wrong("what is this: " $0) }
END {
	calls = zero + one
	print m + 0, "calls,", g + 0, "system calls,", p + 0, "samples printed;", drops, "drops; the target made", calls, "of each"
	if (m + g + p + drops < 2 * calls) wrong("lost without a word: " 2 * calls - (m + g + p + drops))
	if (fired["m"] > calls || fired["g"] > calls) wrong("fired more often than called")
	if (m > fired["m"] || g > fired["g"] || p > fired["p"]) wrong("printed more than fired")
	exit bad > 0
}' out || fail "see above"
