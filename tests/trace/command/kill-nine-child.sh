# What: kill -9 while a -c child runs leaves no stopped process behind.
. "$LIB"
background -o log -n 'BEGIN { printf("ready %d\n", $target); } syscall:::entry /pid == $target/ { @ = count(); }' -c 'sleep 3'
until_true 10 grep -qs ready log || fail "never started"
child=$(sed -n 's/^ready //p' log)
kill -9 "$pid"
wait "$pid" 2>/dev/null
until_true 10 gone "$child" || fail "the child neither ended nor went on"
