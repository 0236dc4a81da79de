# What: vltop has the changes of a program's connections by remote side and by the name of the state, both declared by it.  Needs: uprobe btf.
. "$LIB"
tool vltop -c "$TRIGGERS/receives 9"
awk '$2 == "rx" && NF == 5 { print $1, $3, $4, ($3 == "idle" ? $5 == 0 : $5 > 0) }' out | LC_ALL=C sort >got
cat >wanted <<'E2'
192.0.2.1 idle 3 1
192.0.2.1 open 3 1
192.0.2.1 reading 3 1
192.0.2.2 idle 3 1
192.0.2.2 open 3 1
192.0.2.2 reading 3 1
192.0.2.3 idle 3 1
192.0.2.3 open 3 1
192.0.2.3 reading 3 1
E2
diff wanted got || fail "another table"
contains '^27 changes$'
for value in 0 1000000001 word; do
	tool_misused "vltop: -i takes a number from 1 to 1000000000, not '$value'" -s vltop -c "$TRIGGERS/receives 9" -i "$value"
done
