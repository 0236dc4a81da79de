# What: while it traces, dtrace has a higher priority than others, so that it empties buffers in time; processes that it starts do not, and a priority that the user has chosen stays.
. "$LIB"
# priorities N WANTED - of dtrace, started with nice value N, and of its child
priorities() {
	nice -n $(($1 - $(nice))) "$DTRACE" -q -w -n 'tick-50ms { system("cut -d\" \" -f19 /proc/%d/stat; nice", $pid); exit(0); }' >out 2>err
	same "$?" 0 status
	same "$(echo $(cat out))" "$2" "nice values of dtrace, started with $1, and its child"
}
priorities 0 '-10 0'
priorities 3 '3 3'
