# What: where no more threads may be made, pidret=kernel says so, and exits are traced without them.  Needs: uprobe.
# Executors: kernel (pidret=kernel).
. "$LIB"
base=/sys/fs/cgroup
[ -f $base/cgroup.controllers ] || base=/sys/fs/cgroup/pids
group=$base/dtrace-test.$$
mkdir "$group" 2>/dev/null && [ -f "$group/pids.max" ] || { rmdir "$group" 2>/dev/null; skip "no control group with a limit of processes can be made"; }
trap 'for i in 1 2 3 4 5 6 7 8 9 10; do rmdir "$group" 2>/dev/null && break; sleep 0.3; done' EXIT
echo 3 >"$group/pids.max" || skip "no limit can be set"

# limited ARGUMENT... - dtrace in the group
limited() {
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$DTRACE" -q "$@" >out 2>err
}
program='pid$target:libc.so.6:malloc:entry, pid$target:libc.so.6:malloc:return { @[probename] = count(); }'
limited -x pidret=kernel -n "$program" -c true
same $? 1 "status of pidret=kernel"
contains 'no thread can be made that attaches to .*libc\.so\.6: ulimit -u, or pids\.max of the control group, allows no more$' err
limited -n "$program" -c 'echo x' || fail "status $?"
contains '^ *entry *[1-9]'
contains '^ *return *[1-9]'
exit 0
