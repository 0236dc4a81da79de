# What: lockstat has the waits for a mutex and a reader-writer lock that a program makes its threads wait for.  Needs: btf python3.
. "$LIB"
cp "$checkout/tests/trace/lockstat/contends.py" child.py
tool lockstat -c "$(command -v python3) child.py"
[ ! -f skipped ] || skip "$(cat skipped)"
awk '$1 == "mutex" && length($2) == 16 && $6 >= 50000 { n += $3 } END { exit !(n >= 3) }' out || fail "not three waits for the mutex of the pipe"
awk '$1 == "writer" && length($2) == 16 && $6 >= 50000 { n += $3 } END { exit !(n >= 4) }' out || fail "not four waits for the lock of the file"
contains '^mutex: [0-9]* us$'
contains 'vmlinux`.*write'
same "$(awk 'go && NF >= 6 { n += $(NF - 3) } /^KIND/ { go = 1 } END { print n }' out)" "$(sed -n 's/^\([0-9]*\) waits, .*/\1/p' out)" "the sum"
for value in 0 1000000001 word; do
	tool_misused "lockstat: -n takes a number from 1 to 1000000000, not '$value'" -s lockstat -n "$value"
done
