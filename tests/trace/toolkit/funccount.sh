# What: funccount counts the calls of functions of a command and of a process by its number, by patterns.  Needs: uprobe.
. "$LIB"
tool funccount 'pid$target' a.out '[io]*ner' -c "$TRIGGERS/calls 7"
same "$(awk '$1 == "calls" { print $2, $3 }' out)" "inner 7" "the function"
tool funccount 'pid$target' a.out '*er' -c "$TRIGGERS/calls 7"
contains '^calls  *outer  *7$'
TRIGGER_GATE=$PWD/gate "$TRIGGERS/calls" 5 &
child=$!
trap 'kill $child 2>/dev/null' EXIT
wait_for_program "$child" calls
rm out
background -s funccount "pid$child" a.out outer -p "$child"
until_true 10 grep -qs 'Counting' out || fail "it does not begin: $(cat err)"
touch gate
wait "$child"
wait "$pid" || fail "status"
contains '^calls  *outer  *5$'
contains '^5 calls$'
trace -s funccount
same "$status" 1 "status without arguments"
contains 'Undefined macro variable' err
contains 'usage: dtrace -s funccount PROVIDER MODULE FUNCTION' err
# All providers are not meant.
tool_refuses 'funccount needs PROVIDER: pid$target, a pid with a number, or fbt' -s funccount '' '' read -c true
