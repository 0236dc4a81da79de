# What: kill -9 while a -c child runs ends the child too, but not with -x childkeep.
. "$LIB"
background -o log -n 'BEGIN { printf("ready %d\n", $target); } syscall:::entry /pid == $target/ { @ = count(); }' -c 'sleep 100'
until_true 10 grep -qs ready log || fail "never started"
child=$(sed -n 's/^ready //p' log)
kill -9 "$pid"
wait "$pid" 2>/dev/null
until_true 10 gone "$child" || {
	kill -9 "$child"
	fail "the child goes on"
}

background -o kept -x childkeep -n 'BEGIN { printf("ready %d\n", $target); }' -c 'sleep 100'
until_true 10 grep -qs ready kept || fail "never started"
child=$(sed -n 's/^ready //p' kept)
until_true 10 grep -q ' S ' "/proc/$child/stat" || fail "the child was not let go"
kill -9 "$pid"
wait "$pid" 2>/dev/null
sleep 0.2
gone "$child" && fail "the child was not kept"
kill "$child"
