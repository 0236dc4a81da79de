# What: tcpstates shows each change of the states of connections to a port.  Needs: btf.
. "$LIB"
own_address
TRIGGER_GATE=$PWD/gate TRIGGER_COUNTS=$PWD/counts "$TRIGGERS/connects" "$address" 4 2 &
child=$!
trap 'kill $child 2>/dev/null' EXIT
until_true 10 test -s counts || fail "no server"
port=$(counted port)
background -s tcpstates -P "$port"
until_true 10 grep -q 'LOCAL' out || fail "it does not begin: $(cat err)"
touch gate
wait "$child" || fail "the trigger failed"
until_true 10 eval '[ "$(grep -c "$address:$port" out)" -ge 38 ]' || :
kill -INT "$pid"
wait "$pid"
[ -s err ] && fail "something is said"
awk 'NF == 3 && $3 > 0 && $1 != "OLD" && $1 !~ /[.]/' out | LC_ALL=C sort | sed 's/  */ /g' >got
cat >wanted <<E2
close-wait last-ack 4
closed syn-sent 6
established close-wait 4
established fin-wait-1 4
fin-wait-1 fin-wait-2 4
fin-wait-2 closed 4
last-ack closed 4
listen closed 1
listen syn-received 4
syn-received established 4
syn-sent closed 2
syn-sent established 4
E2
diff wanted got || fail "other changes"
for value in -1 65536 word; do
	tool_misused "tcpstates: -P takes a number from 0 to 65535, not '$value'" -s tcpstates -P "$value"
done
