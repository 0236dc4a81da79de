# What: a clause that truncates a string, then waits for absent memory and runs again has truncated that string once.
. "$LIB"
for by in cpu clause; do
	trace -x strsize=8 -x dropsby=$by -n 'syscall::openat:entry /pid == $target/ { printf("%d %s\n", strlen(strjoin(probefunc, execname)), copyinstr(arg1)); }' \
		-c "$TRIGGERS/paths open 300"
	same "$status" 0 status
	lines=$(grep -c '^8 ' out)
	[ "$lines" -ge 300 ] || fail "only $lines lines"
	same "$(awk '/ strings truncated to strsize/ { n += $2 } END { print n }' err)" $((2 * lines)) "strings cut"
done
contains "^dtrace: of these, $((2 * lines)) strings in clause 1" err
