# What: children that still run are ended with dtrace; with -x childkeep they are left.
. "$LIB"
must_trace -n 'BEGIN { printf("%d\n", $target); exit(0); }' -c 'sleep 60'
until_true 5 gone "$(head -n 1 out)" || fail "the child goes on"
must_trace -x childkeep -n 'BEGIN { printf("%d\n", $target); exit(0); }' -c 'sleep 60'
child=$(head -n 1 out)
sleep 0.2
gone "$child" && fail "the child was not kept"
case $(sed 's/.*) \(.\).*/\1/' "/proc/$child/stat") in t | T) fail "the child is stopped" ;; esac
kill "$child"
