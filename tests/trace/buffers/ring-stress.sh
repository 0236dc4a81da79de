# What: records that interrupt each other in one recorder are never torn; a committed speculation is there as a whole.  Needs: uprobe two-cpus.
# Executors: kernel (its probes are of system calls).
. "$LIB"
trace -x bufpolicy=ring -b 128k -x specsize=8k -n 'pid$target::marked:entry { printf("m %d %d %s\n", arg0, arg1, probefunc); }
	syscall::getpgid:entry /pid == $target/ { this->s = strjoin("t", strjoin(execname, "!")); printf("g %d %s\n", arg0, this->s); }
	profile-4999 /pid == $target/ { printf("p %s %d\n", strjoin(execname, "?"), arg0 != 0 || arg1 != 0); }
	profile-97 /pid == $target/ { s = speculation(); }
	profile-97 /pid == $target/ { speculate(s); printf("s 1 %d\n", ++k); }
	profile-97 /pid == $target/ { speculate(s); printf("s 2 %d\n", k); }
	profile-97 /pid == $target/ { commit(s); }' -c "$TRIGGERS/stress 800"
same "$status" 0 status
awk '
function wrong(text) { print text; bad++ }
$1 == "m" { if ($4 != "marked" || NF != 4 || ($2 != 0 && $2 != 1)) wrong("record " $0)
	if ($3 <= last_m[$2]) wrong("twice or out of order: " $0); last_m[$2] = $3; m++; next }
$1 == "g" { if ($3 != "tstress!" || NF != 3) wrong("record " $0); g++; next }
$1 == "p" { if ($2 != "stress?" || $3 != 1 || NF != 3) wrong("record " $0); p++; next }
$1 == "s" { s++; next }
NF { wrong("what is this: " $0) }
END { print m + 0, g + 0, p + 0, s + 0; if (m < 500 || g < 500 || m + g > 20000) wrong("too few or too many"); exit bad > 0 }' out || fail "see above"
# s and the one speculation are shared by two CPUs, whose timers may fire at the same moment
grep -v 'failed speculation' err && fail messages
true
