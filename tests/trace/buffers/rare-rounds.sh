# What: with a switchrate of 25 days, more milliseconds than an int holds, dtrace sleeps between its
# rounds, and ^C still ends it.
. "$LIB"
background -x switchrate=2147484s -n 'BEGIN { }'
until_true 5 grep -q epoll "/proc/$pid/wchan" || skip "what a process waits for is not told here"
sleep 1
rounds=$(awk '$1 == "voluntary_ctxt_switches:" { print $2 }' "/proc/$pid/status")
kill -INT "$pid"
wait "$pid"
same "$?" 0 status
[ "$rounds" -lt 300 ] || fail "$rounds waits within a second"
