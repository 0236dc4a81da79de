# What: offcpu sums the sleeps of a process, with the stacks of the kernel and of the program.  Needs: btf.
. "$LIB"
sees_switches
tool offcpu -c "$TRIGGERS/lives sleep 50" -m 500
# Where the CPU is emulated a sleep may be over before the thread gives way.
awk '$2 == "lives" && NF == 4 { exit !($3 >= 40 && $4 >= 40000) }' out || fail "less than 40 sleeps of a millisecond"
contains 'nanosleep'
contains '^lives`trigger_pause+0x'
contains '^process [0-9]*, lives: [0-9]* us$'
same "$(awk '/^process/ { n += $4 } END { print n }' out | sed 's/...$//')" "$(awk '$2 == "lives" && NF == 4 { print $4 }' out | sed 's/...$//')" "milliseconds of all stacks"
for value in -1 1000000001 word; do
	tool_misused "offcpu: -m takes a number from 0 to 1000000000, not '$value'" -s offcpu -m "$value"
done
