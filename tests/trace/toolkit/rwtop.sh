# What: rwtop has the bytes that a process reads and writes.  Needs: btf.
. "$LIB"
tool rwtop -c "$TRIGGERS/deeds read 6 write 4"
same "$(awk '$2 == "deeds" && NF == 5 { print $3, $4, $5 }' out)" "10 600 4000" "the row"
same "$(awk 'NF == 5 && $1 ~ /^[0-9]/' out | wc -l)" 1 "rows"
must_trace -s rwtop -c "$TRIGGERS/deeds read 5 slow 40 write 3" -i 1
same "$(awk '$2 == "deeds" && NF == 5 { r += $4; w += $5 } END { print r, w }' out)" "540 3040" "the sums of all tables"
[ "$(grep -c ' COMM ' out)" -ge 2 ] || fail "only one table"
for value in 0 1000000001 word; do
	tool_misused "rwtop: -i takes a number from 1 to 1000000000, not '$value'" -s rwtop -i "$value"
done
