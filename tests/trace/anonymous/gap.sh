# What: every call of a process between anon=run and the end of -a is counted and recorded, those before -a included; nothing stays pinned.  Needs: unshare.
. "$LIB"
own_pins
commanded
tell 100
trace -A -o saved -n 'BEGIN { printf("begin\n"); }
	syscall::getppid:entry /pid == $1/ { @[probefunc, "key"] = count(); @all = count(); n++; }
	syscall::getppid:return /pid == $1/ { self->calls++; printf("r %d\n", self->calls); }
	END { printf("n %d\n", n); printa("kept %s %s %@d\n", @); printa("all %@d\n", @all); }' "$child"
same "$status" 0 "status of -A"
tell 200
must_trace -x anonfile=saved -x anon=run
tell 2345
background -a
until_true 10 grep -q '^r 2345$' out || fail "what was recorded before the claim"
[ -e /sys/fs/bpf/dtrace ] && fail "something is pinned after the claim"
tell 655
until_true 10 grep -q '^r 3000$' out || fail "what was recorded after the claim"
kill -INT "$pid"
wait "$pid"
same $? 0 "status of the claim"
tell 50
same "$(head -n 1 out)" begin "the first line"
same "$(grep -c '^r ' out)" 3000 records
grep '^r ' out | awk '$2 != NR { exit 1 }' || fail "order of the records"
contains '^n 3000$'
contains '^kept getppid key 3000$'
contains '^all 3000$'
[ -s err ] && fail "something on standard error"
true
