# What: 500 clauses with records, 500 with keyed aggregations, and 1,000 statements with 32 keys run;
# so do 10,000 clauses.  Far too many statements of one clause are refused with the limit's name.
. "$LIB"
# lines N TEXT - TEXT N times, with the line's number for #
lines() {
	text=$2 awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) { s = ENVIRON["text"]; gsub(/#/, i, s); print s } }'
}
lines 500 'syscall::getppid:entry /pid == $target/ { printf("%d %s\n", #, execname); }' >records.d
must_trace -s records.d -c "$TRIGGERS/burst 3"
same "$(sort -n out | uniq -c | awk '$1 == 3 && $2 == NR - 1 && $3 == "burst" { n++ } END { print n }')" 500 "records of 500 clauses"
lines 500 'syscall::getppid:entry /pid == $target/ { @[#, execname] = sum(#); }' >keys.d
must_trace -s keys.d -c "$TRIGGERS/burst 3"
same "$(awk '$2 == "burst" && $3 == 3 * $1 { n++ } END { print n }' out)" 500 "keys of 500 clauses"
{
	echo 'BEGIN { a = 1;'
	lines 1000 '@[a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,execname,#] = count();'
	echo 'exit(0); }'
} >statements.d
must_trace -s statements.d
same "$(awk 'NF == 33 && $33 == 1 && $1 == 1 && $31 == "dtrace" { n++ } END { print n }' out)" 1000 "rows of 1,000 statements"
lines 10000 'syscall::getppid:entry /pid == $target/ { printf("%d %s\n", #, execname); }' >far.d
must_trace -s far.d -c "$TRIGGERS/burst 1"
same "$(awk '$1 == NR && $2 == "burst" { n++ } END { print n }' out)" 10000 "records of 10,000 clauses"
{
	echo 'BEGIN {'
	lines 10000 '@[#] = count();'
	echo 'exit(0); }'
} >clause.d
trace -s clause.d
same "$status" 1 "status of a clause of 10,000 keys"
contains 'at most 8,192 branches' err
