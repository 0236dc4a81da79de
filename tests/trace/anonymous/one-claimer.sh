# What: of several claimers at once one gets everything, the others nothing.  Needs: unshare.
. "$LIB"
own_pins
commanded
trace -A -o saved -n 'syscall::getppid:entry /pid == $1/ { printf("r\n"); }' "$child"
for round in 1 2 3; do
	trace -x anonfile=saved -x anon=run
	same "$status" 0 "status of anon=run"
	tell 500
	claimers=
	for i in 1 2 3 4; do
		"$DTRACE" -ae >out.$i 2>err.$i &
		claimers="$claimers $!"
	done
	good=0
	for claimer in $claimers; do
		wait "$claimer" && good=$((good + 1))
	done
	same "$good" 1 "claimers that got something"
	same "$(cat out.* | grep -c r)" 500 records
	same "$(cat err.* | sort -u)" "dtrace: could not enable tracing: No anonymous tracing state" messages
done
