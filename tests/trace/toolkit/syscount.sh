# What: syscount counts the calls of a process.  Needs: btf.
. "$LIB"
tool syscount -c "$TRIGGERS/syscalls 50"
same "$(awk '$1 == "getppid" { print $2 }' out)" 50 "getppid"
total=$(awk '/^CALL/ { calls = 1; next } calls { n += $2 } END { print n }' out)
same "$(awk '$2 == "syscalls" { print $3 }' out)" "$total" "the sum of the table"
tool syscount -c "$TRIGGERS/deeds miss 9 stat 1"
same "$(awk '$1 == "openat" { print $2 }' out)" 10 "openat"
tool syscount -c "$TRIGGERS/deeds miss 9 stat 1" -n 1
same "$(awk '/^CALL/ { calls = 1; next } calls && NF' out | wc -l)" 1 "rows"
for value in 0 1000000001 word; do
	tool_misused "syscount: -n takes a number from 1 to 1000000000, not '$value'" -s syscount -n "$value"
done
