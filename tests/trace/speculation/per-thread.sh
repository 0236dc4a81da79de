# What: every second call commits its two records, which are consecutive; the others leave nothing. Needs: two-cpus.
. "$LIB"
must_trace -x nspec=4 -b 16m -n 'syscall::getpgid:entry /pid == $target/ { self->n++; self->s = speculation(); speculate(self->s); printf("e %d %d\n", tid, self->n); }
	syscall::getpgid:return /self->s/ { speculate(self->s); printf("r %d %d\n", tid, self->n); }
	syscall::getpgid:return /self->s && self->n % 16 == 0/ { commit(self->s); self->s = 0; }
	syscall::getpgid:return /self->s/ { discard(self->s); self->s = 0; }' -c "$TRIGGERS/stress 300"
awk -v calls=$(($(counted thread0) + $(counted thread1))) '
function wrong(text) { print text; bad++ }
$1 == "e" { tid = $2; n = $3; entries++; next }
$1 == "r" { if ($2 != tid || $3 != n || n % 16) wrong("apart: " $0); returns++; next }
NF { wrong("what is this: " $0) }
END {
	print calls, "calls,", entries, "entries,", returns, "returns"
	if (entries != returns) wrong("not in pairs")
	if (returns < int(calls / 16) - 1 || returns > calls / 16) wrong("not every 16th")
	exit bad > 0
}' out || fail "see above"
