# What: the lack of a free speculation is reported once a status; impossible ids are faults; a speculate() alone leaves a line.
. "$LIB"
trace -x nspec=2 -x droptags -n 'BEGIN { a = speculation(); b = speculation(); c = speculation(); d = speculation(); }
	BEGIN { printf("%d %d %d %d\n", a, b, c, d); }
	BEGIN { discard(a); a = speculation(); printf("%d\n", a); }
	BEGIN { commit(3); } BEGIN { speculate(-1); } BEGIN { discard(1ull << 40); } BEGIN { exit(0); }'
same "$status" 0 status
same "$(head -n 2 out)" "1 2 0 0
1" ids
contains '^dtrace: \[DTRACEDROP_SPECUNAVAIL\] 2 failed speculations (no speculative buffer available)$' err
same "$(grep -c 'illegal speculation id (-*[0-9]*) in action' err)" 3 faults
"$DTRACE" -n 'BEGIN { a = speculation(); }
BEGIN { speculate(a); }
BEGIN { commit(a); } BEGIN { exit(0); }' >out 2>err
same "$(grep -c ':BEGIN' out)" 2 lines
