# What: agents end when the asker is killed, within two seconds, also those that print nothing; ^C runs END once; a stopped host delays nobody for long.
. "$LIB"
path="env PATH=${DTRACE%/*}:$PATH"
via="sh -c 'echo \$\$ >pids/{}; exec $path dtrace --agent' x"
mkdir pids
all_gone() { for host in a b c; do gone "$(cat pids/$host)" || return 1; done; }
start() {
	rm -f pids/*
	background --on a,b,c -x via="$via" -n 'BEGIN { printf("begun\n"); } syscall::read:entry /pid == 0/ { @ = count(); } tick-10ms { @n = count(); } END { printf("ended\n"); }'
	until_true 10 grep -q begun out || fail "it does not begin"
}
start
kill -KILL "$pid"
wait "$pid"
until_true 2 all_gone || fail "an agent lives on"

start
kill -INT "$pid"
wait "$pid"
same "$?$(cat err)" 0 "interrupted"
same "$(grep -c ended out)" 1 "END"
all_gone || fail "an agent lives on after ^C"

start
kill -STOP "$(cat pids/b)"
kill -INT "$pid"
wait "$pid"
same "$?" 3 "a host that is stopped"
contains '^dtrace: b: it has not stopped within 5 s$' err
same "$(grep -c '^[ac]: ended$' out)" 2 "END of the others"
until_true 3 all_gone || fail "the stopped one lives on"
