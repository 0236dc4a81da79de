# What: targets that cannot be are refused with the reason; version 1 of control groups by name.
. "$LIB"
# refused WHAT OPTION...
refused() {
	what=$1
	shift
	trace "$@" -n 'syscall::getppid:entry { @ = count(); } tick-1s { exit(0); }'
	same "$status" 1 "$*"
	contains "$what" err
}
for bad in '' unit unit: :x pod:x Unit:x; do
	refused "Invalid value for specified option" -x "target=$bad"
done
refused 'target=user:dtrace-nobody: there is no user dtrace-nobody' -x target=user:dtrace-nobody
refused 'target=user:1x: there is no user 1x' -x target=user:1x
long=$(printf '%0300d' 0)
many=$(for i in 1 2 3 4 5 6 7 8 9; do printf -- '-x target=container:c%d ' $i; done)
if awk '$3 == "cgroup2" { found = 1 } END { exit !found }' /proc/mounts; then
	refused "the name is longer than a control group's" -x target=unit:$long
	refused 'too many targets' $many
	refused 'target=cgroup:/tmp: the folder /tmp is not a control group: those are in /' -x target=cgroup:/tmp
	old=$(awk '$3 == "cgroup" { print $2; exit }' /proc/mounts)
	[ -z "$old" ] || refused "$old/some is of version 1 of control groups, which is not supported" -x "target=cgroup:$old/some"
	own_group
	trace -n '#pragma D option target=unit:user.slice
		tick-10ms { exit(0); }'
	same "$status" 0 "a pragma"
	# Where only version 1 is mounted.
	unshare -m sh -c 'umount -l "$1" && ! grep -q " cgroup2 " /proc/mounts || exit 9
		"$DTRACE" -x target=unit:x -n "tick-1s { exit(0); }"' - "$cgroups" >out 2>err
	status=$?
	[ $status -eq 9 ] || contains 'of version 2 (cgroup2) are mounted' err
fi
