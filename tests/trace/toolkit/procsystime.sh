# What: procsystime has the number of calls and their times: a sleep takes its time, but no CPU.  Needs: btf.
. "$LIB"
tool procsystime -c "$TRIGGERS/lives sleep 20"
same "$(awk '$1 == "clock_nanosleep" { print $2 }' out)" 20 "calls"
awk '$1 == "clock_nanosleep" { exit !($3 >= 20000 && $4 >= 1000 && $5 >= $4 && $3 >= $5 && $6 < $3) }' out || fail "times"
awk '/^CALL/ { go = 1; next } $1 == "TOTAL" { exit !($2 == n && $3 >= sum && $3 <= sum + rows) } go { n += $2; sum += $3; rows++ }' out ||
	fail "the total is not the sum"
same "$(awk '/^TOTAL/ { print last } { last = $1 }' out)" clock_nanosleep "the row with most time"
