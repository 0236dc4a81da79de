# What: cgroup, cgroupname, container, pidns of the current thread, as its files in /proc and the file system of control groups say.
. "$LIB"
own_group
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
# shown GROUP WANTED - the group's id and path, and the container
shown() {
	must_trace -n 'syscall::exit_group:entry /arg0 == 3 && progenyof($target)/ { printf("%d %s [%s]\n", cgroup, cgroupname, container); }' \
		-c "sh -c 'sh within $1 sh -c \"exit 3\"; true'"
	same "$(cat out)" "$(stat -c %i "$group/$1") $path/$1 [$2]" "$1"
}
shown x.service ''
shown a.slice/b.slice/c/d/e/f/g/h/i/j/k ''
shown docker-$id.scope $id
shown libpod-$id.scope/container $id
shown libpod-conmon-$id.scope ''
shown kubepods.slice/kubepods-pod1.slice/cri-containerd-$id.scope $id
shown crio-$id.scope $id
shown docker/$id $id
shown docker/${id}0 ''
shown lxc.payload.web web
shown machine.slice/machine-web.scope web
shown machine.slice/systemd-nspawn@web.service/payload web
shown docker-outer.scope/docker-inner.scope inner

must_trace -n 'BEGIN { printf("%s\n%s\n%d\n%d\n", cgroupname, container, cgroup, pidns); exit(0); }'
same "$(cat out)" "$(sed -n 's/^0:://p' /proc/self/cgroup)

$(stat -c %i "$cgroups$(sed -n 's/^0:://p' /proc/self/cgroup)")
$(readlink /proc/self/ns/pid | tr -dc 0-9)" "dtrace's"
must_trace -n 'BEGIN { @[pidns] = count(); exit(0); }'
same "$(awk 'NF { print $1 }' out)" "$(readlink /proc/self/ns/pid | tr -dc 0-9)" "pidns as a key, which prints 4 bytes as signed ones"
must_trace -n 'syscall::exit_group:entry /execname == "calls"/ { @[pidns == $1, cgroupname] = count(); } END { printa("%d %s\n", @); }' \
	-c "unshare -pf $TRIGGERS/calls 1" "$(readlink /proc/self/ns/pid | tr -dc 0-9)"
same "$(cat out)" "0 $(sed -n 's/^0:://p' /proc/self/cgroup)" "another PID namespace, and a path as a key"

# A path that does not fit keeps its end, and is counted.
trace -x strsize=16 -n 'syscall::exit_group:entry /arg0 == 3 && progenyof($target)/ { printf("%s\n", cgroupname); }' \
	-c "sh -c 'sh within some/long/path sh -c \"exit 3\"; true'"
same "$status $(cat out)" "0 /some/long/path" "strsize=16"
contains 'truncat' err

# Names of scripts for older versions.
must_trace -x version=2.0 -n 'BEGIN { cgroup = 1; container = 2; cgroupname = 3; pidns = 4; printf("%d\n", cgroup + container + cgroupname + pidns);
	exit(0); }'
same "$(cat out)" 10 "variables of version 2.0"
trace -x executor=interpreter -n 'BEGIN { trace(cgroupname); exit(0); }'
contains 'the interpreter' err
