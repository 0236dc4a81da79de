# What: kill -9 of a claimer leaves nothing: no pin, and nothing that fires.  Needs: unshare.
. "$LIB"
own_pins
commanded
trace -A -o saved -n 'syscall::getppid:entry /pid == $1/ { printf("r %d\n", ++n); }' "$child"
trace -x anonfile=saved -x anon=run
same "$status" 0 "status of anon=run"
[ -e /sys/fs/bpf/dtrace/anon/link-0 ] || fail "nothing pinned"
background -a
tell 10
until_true 10 grep -q '^r 10$' out || fail "claimed records"
kill -9 "$pid"
wait "$pid" 2>/dev/null
same "$(find /sys/fs/bpf -mindepth 1 -not -name '*.debug')" "" "what is left"
trace -a
same "$status" 1 status
contains 'No anonymous tracing state' err
# the next one begins at nothing
trace -x anonfile=saved -x anon=run
same "$status" 0 "status of the second anon=run"
tell 3
must_trace -a -c true # whose end is that of tracing
same "$(tr -d '\n' <out)" "r 1r 2r 3" records
