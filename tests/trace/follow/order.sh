# What: with temporal, a child's first record comes after its parent's at the fork that made it, and before the parent's next one after it has
# waited; for fork, vfork and programs executed.  Needs: uprobe.
. "$LIB"
[ "$(readlink /proc/self/ns/pid)" = "pid:[4026531836]" ] || skip "the kernel has other process numbers"
family=$TRIGGERS/family
# Each child has the number that its parent's fork returned, on whichever CPU each ran.
trace -x temporal=on -x follow=all -n 'rawtp:::sched_process_fork /target/ { printf("fork %d\n", ((struct task_struct *)args[1])->pid); }
	pid$target:a.out:work:entry { printf("work %d\n", pid); }' -c "$family forks 50"
same "$status" 0 "status"
awk '
	$1 == "fork" { forked[$2] = 1; forks++ }
	$1 == "work" && !($2 in forked) { print "work before its fork: " $0; bad = 1 }
	$1 == "work" { works++ }
	END { if (forks != 100 || works != 1000) print forks " forks, " works " calls"; exit bad || forks != 100 || works != 1000 }' out >wrong ||
	fail "$(head -3 wrong)"
# Parents that wait: the records of a child are all before those of the next fork.
awk '$1 == "fork" { child = $2 } $1 == "work" && $2 != child { bad++ } END { exit bad > 0 }' out || fail "children overlap"
# Many at once.
trace -x temporal=on -x follow=all -n 'rawtp:::sched_process_fork /target/ { printf("fork %d\n", ((struct task_struct *)args[1])->pid); }
	pid$target:a.out:work:entry { printf("work %d\n", pid); }' -c "$family storm 50 wait"
same "$status" 0 "status of a storm"
awk '$1 == "fork" { forked[$2] = 1 } $1 == "work" && !($2 in forked) { bad++ } $1 == "work" { works++ } END { exit bad > 0 || !works }' out ||
	fail "a record of a child before its fork"
