# What: when its reader goes away (| head -1) dtrace ends at once, by SIGPIPE and silently, and so does its child; where SIGPIPE
# is ignored, the failed write is reported.
. "$LIB"
to_head() {
	{
		"$DTRACE" -q -n 'BEGIN { printf("%d\n", $target); } tick-10ms { printf("a record\n"); }' -c 'sleep 60' 2>err
		echo $? >status
	} | head -n 1 >child
	until_true 5 gone "$(cat child)" || fail "the child goes on"
}
to_head
same "$(cat status)" 141 "status by SIGPIPE"
same "$(cat err)" "" "messages"
(trap '' PIPE && to_head)
same "$(cat status)" 1 "status where SIGPIPE is ignored"
contains '^dtrace: failed to write to <stdout>: Broken pipe$' err
{
	"$DTRACE" -l 2>err
	echo $? >status
} | head -n 1 >out
same "$(cat status)" 141 "status of -l"
same "$(cat err)" "" "messages of -l"
