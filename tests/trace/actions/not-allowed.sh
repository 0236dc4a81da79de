# What: destructive actions need -w, and are refused before anything runs; some always are, with or without -w.
. "$LIB"
for action in 'stop()' 'raise(1)' 'copyout(alloca(1), 1, 1)' 'copyoutstr("x", 1, 1)' 'system("touch made")' \
	'freopen("made")'; do
	trace -n "BEGIN { printf(\"ran\\n\"); $action; exit(0); }"
	same "$status" 1 "status of $action"
	contains 'could not enable tracing: Destructive actions not allowed (-w allows them)$' err
	[ -s out ] && fail "$action ran"
	[ -e made ] && fail "$action did something"
done
for action in panic chill breakpoint; do
	[ $action = chill ] && argument=1 || argument=
	for allowed in -w -q; do
		trace $allowed -n "BEGIN { printf(\"ran\\n\"); } tick-1s { $action($argument); }"
		same "$status" 1 "status of $action"
		contains "could not enable tracing: $action() is not supported on this system: a BPF program cannot" err
		[ -s out ] && fail "ran beside $action"
	done
done
# Anywhere in the program; compilation is allowed, and so is permission that is not needed.
for program in 'END { panic(); }' 'ERROR { chill(5); }' 'tick-1ms /0/ { breakpoint(); }' 'BEGIN { if (0) panic(); }'; do
	trace -w -n 'BEGIN { printf("ran\n"); }' -n "$program"
	same "$status" 1 "status of $program"
	contains 'is not supported on this system' err
	[ -s out ] && fail "ran beside $program"
	must_trace -e -w -n "$program"
	must_trace -e -n "$program"
done
trace -n 'BEGIN { setopt("destructive"); }' -n 'BEGIN { system("touch made"); exit(0); }'
same "$status" 1 "status of setopt(destructive)"
[ -e made ] && fail "setopt(destructive) allowed it"
must_trace -x destructive -n 'BEGIN { system("echo allowed"); exit(0); }'
contains allowed
must_trace -n 'BEGIN { ftruncate(); setopt("quiet"); exit(0); }'
"$DTRACE" -w -n 'BEGIN { exit(0); }' >out 2>err
contains '^dtrace: allowing destructive actions$' err
must_trace -e -n 'BEGIN { raise(1); }'
