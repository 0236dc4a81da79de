# What: with follow=tree children that are there already are traced; with other words only later ones.  Needs: uprobe.
. "$LIB"
mkfifo gate
# all_there - the tree of $root is complete: the grandchild calls
all_there() {
	child=$(cat "/proc/$root/task/$root/children") && [ "$child" ] && grep -q . "/proc/${child% }/task/${child% }/children"
}
for case in tree:yes all:no; do
	"$TRIGGERS/family" child child busy <gate & # the grandchild calls
	root=$!
	exec 4>gate
	until_true 10 all_there 2>/dev/null || fail "no grandchild"
	must_trace -x follow="${case%:*}" -n 'pid$target:a.out:work:entry { @[pid == $target, target == $target] = count(); }
		tick-300ms { exit(0); } END { printa("%d %d %@u\n", @); }' -p $root
	kill -0 $root || fail "the process of -p is gone"
	exec 4>&-
	wait $root
	if [ "${case#*:}" = yes ]; then
		contains '^0 1 [1-9]'
	else
		grep -q '^0' out && fail "an older child is traced"
	fi
done
# The variable knows them in any case.
"$TRIGGERS/family" child child busy <gate &
root=$!
exec 4>gate
until_true 10 all_there 2>/dev/null || fail "no grandchild"
must_trace -n 'syscall::*poll:entry /target/ { @[target == $target] = count(); } tick-300ms { exit(0); } END { printa("%d %@u\n", @); }' -p $root
exec 4>&-
wait $root
contains '^1 [1-9]'
