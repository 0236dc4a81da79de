# What: a reader that goes away (| head -1) is reported; dtrace ends at once, and so does its child.
. "$LIB"
{
	"$DTRACE" -q -n 'BEGIN { printf("%d\n", $target); } tick-10ms { printf("a record\n"); }' -c 'sleep 60' 2>err
	echo $? >status
} | head -n 1 >child
same "$(cat status)" 1 status
contains '^dtrace: failed to write to <stdout>: Broken pipe$' err
until_true 5 gone "$(cat child)" || fail "the child goes on"
