# What: funclatency measures each call of a function; one that calls itself once.  Needs: uprobe.
. "$LIB"
tool funclatency 'pid$target' a.out outer -c "$TRIGGERS/calls 9"
awk '$1 == "calls" && $2 == "outer" { exit !($3 == 9 && $4 > 0 && $5 >= $4 && $6 >= $5) }' out || fail "the row"
same "$(awk '/\|/ { n += $NF } END { print n }' out)" 9 "calls in the histogram"
contains '^calls`outer, time in ns:$'
tool funclatency 'pid$target' a.out pushed_inner -c "$TRIGGERS/stacks 6"
same "$(awk '$2 == "pushed_inner" { print $3 }' out)" 1 "a function that calls itself"
tool funclatency 'pid$target' libc nanosleep -c "$TRIGGERS/lives sleep 30"
awk '$2 == "nanosleep" || $2 == "__nanosleep" { found += $3 >= 30 && $4 >= 1000000 } END { exit !found }' out || fail "30 sleeps of a millisecond"
