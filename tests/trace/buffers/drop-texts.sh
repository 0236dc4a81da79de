# What: each loss has its own message, one and several, with the tag on request.  Executors: kernel (the messages name CPUs, and system calls).
. "$LIB"
told() { # TAG TEXT OPTIONS PROGRAM
	for tag in '' "\\[$1\\] "; do
		# shellcheck disable=SC2086 # options
		trace $3 ${tag:+-x droptags} -n "$4"
		same "$status" 0 "status of $4"
		contains "^dtrace: $tag$2\$" err
		same "$(grep -c drop err)$(grep -c fail err)$(grep -c ERROR err)" "$5" "lines of messages of $4"
	done
}
told DTRACEDROP_DYNAMIC '1 dynamic variable drop' '-x dynvarsize=1' 'BEGIN { a[1] = 1; } BEGIN { a[2] = 1; exit(0); }' 100
told DTRACEDROP_DYNAMIC '3 dynamic variable drops' '-x dynvarsize=1' \
	'BEGIN { a[1] = 1; } BEGIN { a[2] = 1; } BEGIN { a[3] = 1; } BEGIN { a[4] = 1; exit(0); }' 100
# The least table has an element for each CPU, or so: many keys show how many fit.
keys() {
	echo "BEGIN { $(seq "$1" | sed 's/.*/@a[&] = count();/' | tr '\n' ' ')exit(0); }"
}
trace -x aggsize=1 -n "$(keys 200)"
fit=$((200 - $(drops)))
told DTRACEDROP_AGGREGATION '1 aggregation drop on CPU [0-9]*' '-x aggsize=1' "$(keys $((fit + 1)))" 100
told DTRACEDROP_AGGREGATION '2 aggregation drops on CPU [0-9]*' '-x aggsize=1' "$(keys $((fit + 2)))" 100
told DTRACEDROP_SPECUNAVAIL '1 failed speculation (no speculative buffer available)' '' 'BEGIN { speculation(); speculation(); exit(0); }' 010
told DTRACEDROP_SPECUNAVAIL '2 failed speculations (no speculative buffer available)' '' 'BEGIN { speculation(); speculation(); speculation(); exit(0); }' 010
told DTRACEDROP_DBLERROR '1 error in ERROR probe enabling' '' 'BEGIN { x = *(int *)0; } ERROR { y = *(int *)0; } BEGIN { exit(0); }' 001
told DTRACEDROP_DBLERROR '2 errors in ERROR probe enabling' '' 'BEGIN { x = *(int *)0; } BEGIN { x = *(int *)0; } ERROR { y = *(int *)0; } BEGIN { exit(0); }' 001
told DTRACEDROP_STRSIZE '1 string truncated to strsize (2 bytes): -x strsize=N allows longer ones' '-x strsize=2' 'BEGIN { x = "abc"; exit(0); }' 000
told DTRACEDROP_STRSIZE '2 strings truncated to strsize (2 bytes): -x strsize=N allows longer ones' '-x strsize=2' 'BEGIN { x = y = "abc"; z = "def"; exit(0); }' 000

# One is committed and not yet free: a writer of it waits for its page.
"$TRIGGERS/absent" 0 || exit 0 # no userfaultfd here
trace -x droptags -n 'BEGIN { s = speculation(); }
	pid$target::late:entry { began = 1; }
	pid$target::late:entry { speculate(s); printf("%s\n", copyinstr(arg0)); }
	tick-50ms /began/ { commit(s); }
	tick-50ms /began && !asked++/ { trace(speculation()); }' -c "$TRIGGERS/absent 2000"
same "$status" 0 status
same "$(tr -d '\n' <out)" "0here at last" "a busy speculation's number, then what it held"
contains '^dtrace: \[DTRACEDROP_SPECBUSY\] 1 failed speculation (available buffer(s) still busy)$' err
# the output is not read until the target ends
trace -w -x droptags -b 4k -n 'syscall::getppid:entry /pid == $target && !begun++/ { system("until [ -s counts ]; do sleep 0.02; done"); }
	syscall::getppid:entry /pid == $target/ { printf("%d\n", ++n); }' -c "$TRIGGERS/burst 20000"
contains '^dtrace: \[DTRACEDROP_PRINCIPAL\] [0-9]* drops on CPU [0-9]*$' err
trace -x droptags -x specsize=256 -n 'BEGIN { s = speculation(); } BEGIN { speculate(s); printf("%s", strjoin(execname, "x")); trace(1); }
	BEGIN { exit(0); }'
contains '^dtrace: \[DTRACEDROP_SPEC\] 1 speculative drop$' err
