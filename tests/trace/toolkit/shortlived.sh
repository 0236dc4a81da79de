# What: shortlived counts processes that start and end within the time, by program and by parent.  Needs: btf.
. "$LIB"
# The parent waits while dtrace starts, which may take more than the second that is the default.
tool shortlived -c "$TRIGGERS/lives exit 6 exec 4"
contains '^lives  *[67] '
contains '^true  *4 '
must_trace -s shortlived -c "$TRIGGERS/lives exit 6 exec 4" -m 100000
contains '^lives  *7 '
contains '^true  *4 '
same "$(awk '$2 == "lives" && $3 == 10' out | wc -l)" 1 "the parent of all"
contains '^11 processes with [0-9]* us of CPU time in [0-9.]* s$'
awk '($1 == "true" || $1 == "lives") && NF == 4 && !($3 > 0 && $4 > 0) { exit 1 }' out || fail "times"
must_trace -s shortlived -c "sleep 0.2" -m 100
grep -q '^sleep ' out && fail "sleep lived longer than 100 ms"
for value in 0 1000000001 word; do
	tool_misused "shortlived: -m takes a number from 1 to 1000000000, not '$value'" -s shortlived -m "$value"
done
exit 0
