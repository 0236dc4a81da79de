# What: kill -9 of dtrace while the probes of a provider fire, each provider in turn: the kernel has none of its programs any more,
# its child is gone, and the next dtrace traces the same.  Needs: btf python3.
. "$LIB"
. "$checkout/tests/trace/ends/each"
programs_gone() {
	# shellcheck disable=SC2086 # numbers
	python3 "$checkout/tests/trace/ends/programs.py" $programs
}
kill_it() {
	background -n "BEGIN { printf(\"%d\\n\", \$target); } $2 /target/ { printf(\"fired %s\\n\", probename); @[probename] = count(); }" -c "$3"
	until_true 20 grep -qs '^fired' out || fail "$1 does not fire"
	child=$(head -n 1 out)
	programs=$(cat /proc/"$pid"/fdinfo/* 2>/dev/null | sed -n 's/^prog_id:[[:space:]]*//p')
	[ -n "$programs" ] || fail "$1: no programs"
	programs_gone && fail "$1: no programs $programs"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	until_true 10 programs_gone || fail "$1: programs are left of $programs"
	until_true 10 gone "$child" || fail "$1: the child goes on"
	"$DTRACE" -qn "$2 /target/ { printf(\"again\\n\"); exit(0); }" -c "$3" >out 2>err || fail "$1 again: status $?"
	contains '^again$'
}
for_each kill_it
