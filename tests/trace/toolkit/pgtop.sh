# What: pgtop counts and measures the queries of a connection, and its transactions.  Needs: uprobe.
. "$LIB"
postgresql_connect
for value in 0 1000000001 word; do
	tool_misused "pgtop: -i takes a number from 1 to 1000000000, not '$value'" -s pgtop -p "$backend" -i "$value"
done
background -s pgtop -p "$backend"
until_true 20 grep -qs Measuring out || fail "never began: $(cat err)"
for i in $(seq 30); do echo 'select 4711;'; done >&3
printf 'begin;\nselect pg_sleep(0.05);\nrollback;\n' >&3
echo 'select 4712;' >&3
until_true 20 grep -qs '^4712$' answers || fail "no answers"
kill -INT "$pid"
wait "$pid" || fail "status"
[ -s err ] && fail "something is said"
awk '/ select 4711;$/ { exit !($1 == 30 && $2 >= $4 && $4 >= $3 && $3 > 0) }' out || fail "the query"
awk '/ select pg_sleep/ { exit !($1 == 1 && $2 >= 50000) }' out || fail "the slow query"
contains '^ *34 queries$'
contains '^ *1 aborts$'
contains '^ *31 commits$'
exec 3>&-
