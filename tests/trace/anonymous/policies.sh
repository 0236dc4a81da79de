# What: until it is claimed, ring keeps the newest records, fill the first, and switch counts those that do not fit; exit() ends it. Needs: unshare.
. "$LIB"
own_pins
commanded
start() {
	trace -A -o saved "$@" "$child"
	same "$status" 0 "status of -A $*"
	trace -x anonfile=saved -x anon=run
	same "$status" 0 "status of anon=run"
}
records='syscall::getppid:entry /pid == $1/ { printf("r %d\n", n++); } END { printf("n %d\n", n); }'

start -b 64k -x bufpolicy=ring -n "$records"
tell 20000
must_trace -ae
contains '^n 20000$'
grep '^r' out | sort -n -k 2 | awk 'END { exit $2 != 19999 || NR < 400 || NR > 19000 }' || fail "the newest records"

start -b 64k -x bufpolicy=fill -n "$records"
tell 20000
trace -ae
same "$status" 0 status
grep '^r' out | sort -n -k 2 | awk '$2 != NR - 1 { exit 1 } END { exit NR < 400 || NR > 19000 }' || fail "the first records"

start -b 64k -n "$records"
tell 20000
trace -ae
same "$status" 0 status
same $(($(grep -c '^r' out) + $(drops))) 20000 "records and drops"
[ "$(drops)" -gt 1000 ] || fail "a buffer of 64k held it all"

start -n 'syscall::getppid:entry /pid == $1/ { printf("r %d\n", ++n); } syscall::getppid:entry /n == 7/ { exit(3); }'
tell 20
trace -a
same "$status" 3 "status of exit() that was called before the claim"
same "$(tail -n 1 out | tr -d '\n')" "" "the end"
same "$(grep -c r out)" 7 "records until exit()"
