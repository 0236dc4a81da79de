# What: what is lost is told in its own words, one and several, with the tag if that is wanted.
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
told DTRACEDROP_AGGREGATION '1 aggregation drop on CPU [0-9]*' '-x aggsize=1' 'BEGIN { @a[1] = count(); @a[2] = count(); exit(0); }' 100
told DTRACEDROP_AGGREGATION '2 aggregation drops on CPU [0-9]*' '-x aggsize=1' 'BEGIN { @a[1] = count(); @a[2] = count(); @a[3] = count(); exit(0); }' 100
told DTRACEDROP_SPECUNAVAIL '1 failed speculation (no speculative buffer available)' '' 'BEGIN { speculation(); speculation(); exit(0); }' 010
told DTRACEDROP_SPECUNAVAIL '2 failed speculations (no speculative buffer available)' '' 'BEGIN { speculation(); speculation(); speculation(); exit(0); }' 010
told DTRACEDROP_DBLERROR '1 error in ERROR probe enabling' '' 'BEGIN { x = *(int *)0; } ERROR { y = *(int *)0; } BEGIN { exit(0); }' 001
told DTRACEDROP_DBLERROR '2 errors in ERROR probe enabling' '' 'BEGIN { x = *(int *)0; } BEGIN { x = *(int *)0; } ERROR { y = *(int *)0; } BEGIN { exit(0); }' 001
