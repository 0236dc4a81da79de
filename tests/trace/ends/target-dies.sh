# What: kill -9 of the traced process while the probes of a provider fire, each provider in turn: dtrace ends as usual, with what it has
# counted.  Needs: btf.
. "$LIB"
. "$checkout/tests/trace/ends/each"
die() {
	sh -c "exec $3" &
	child=$!
	[ "$1" = kvm ] || wait_for_program $child busy
	background -n "$2 /target/ { @fired = count(); } $2 /target && !begun++/ { printf(\"begun\\n\"); } END { printa(\"fired %@d\\n\", @fired); }" -p $child
	until_true 20 grep -qs '^begun' out || fail "$1 does not fire"
	kill -9 $child
	until_true 10 gone "$pid" || fail "$1: dtrace goes on"
	wait "$pid"
	same $? 0 "status of $1"
	contains '^fired [1-9]'
	grep -i 'error\|fail\|invalid' err && fail "$1: a message"
	wait $child 2>/dev/null
}
for_each die
true
