# What: plockstat has the waits of a program's threads for its mutexes and reader-writer locks.  Needs: uprobe btf.
# Executors: kernel (it needs system calls of locks).
. "$LIB"
tool plockstat -c "$TRIGGERS/locks 4"
mutexes=$(awk '$1 == "mutex" && NF == 6 { n += $3 } END { print n + 0 }' out)
must_trace -n 'plockstat$target:::mutex-blocked,plockstat$target:::rw-blocked { @[probename] = count(); }' -c "$TRIGGERS/locks 4"
same "$mutexes" "$(value_of mutex-blocked)" "waits for mutexes"
tool plockstat -c "$TRIGGERS/locks 4"
contains '^writer  *[^ ]*  *4 '
contains '^locks`take_writer+0x'
contains '^writer: [0-9]* us$'
awk '$1 == "mutex" && NF == 6 && !($4 >= $5 && $6 >= $5 && $5 > 0) { exit 1 }' out || fail "times"
for value in 0 1000000001 word; do
	tool_misused "plockstat: -n takes a number from 1 to 1000000000, not '$value'" -s plockstat -c true -n "$value"
done
