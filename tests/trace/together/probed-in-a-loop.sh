# What: commands start while another dtrace attaches to all functions of their linker and detaches, again and again; a third one's counts stay right.
# ROUNDS: of two commands each.  Needs: uprobe uprobe_multi cc.  Executors: kernel (children).
. "$LIB"
. "${LIB%/*}/together/programs.inc"
follower
./work ./never >own-out &
child=$!
trap 'touch stop enough; kill $follower $child 2>/dev/null' EXIT
until_true 10 grep -q ready own-out || fail "the program does not run"
rm -f enough
while [ ! -e enough ]; do
	"$DTRACE" -x follow=all -qn 'pid$target:ld.so::entry { @ = count(); } BEGIN { exit(0); }' -p $child >>loop-out 2>&1
	echo >>loops
done &

# started NUMBER - a command as alone
started() {
	rm -f "probes$1"
	timeout 100 "$DTRACE" -q -o "probes$1" -n "$work_functions" -c ./work >"out$1" 2>"err$1"
	echo $? >"status$1"
}
for round in $(seq "${ROUNDS:-5}"); do
	started 1 &
	one=$!
	started 2
	wait $one
	for i in 1 2; do
		same "$(cat status$i out$i err$i | tr '\n' ' ')$(tr -d '\n' <probes$i)" "0 done $all_functions" "round $round, command $i"
	done
done
touch enough
wait %3 2>/dev/null
[ "$(wc -l <loops)" -gt 2 ] || fail "nothing was attached meanwhile"
follower_ends
