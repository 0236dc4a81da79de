# What: zonename is global in the first PID namespace, else the cgroup's name without what runtimes put around it.  Needs: unshare.
. "$LIB"
need_cgroups
[ "$(readlink /proc/self/ns/pid)" = "pid:[4026531836]" ] || skip "not in the first PID namespace"
id=dtrace-test-$$
cat >inside.sh <<'S'
echo $$ >"$1/cgroup.procs" && exec unshare -pf "$TRIGGERS/calls" 1
S
for name in "docker-$id.scope" "libpod-$id.scope" "cri-containerd-$id.scope" "$id"; do
	mkdir "$cgroups/$name" 2>/dev/null || skip "no cgroup can be made"
	trace -c "sh inside.sh $cgroups/$name" -n 'syscall::exit_group:entry /execname == "calls" && progenyof($target)/ { printf("%s\n", zonename); }'
	until_true 5 rmdir "$cgroups/$name"
	same "$status $(cat out)" "0 $id" "$name"
done
# The shell, not the test, changes its cgroup; the root cgroup takes processes always.
# There the namespace is the name.
trace -c "sh inside.sh $cgroups" -n 'syscall::exit_group:entry /execname == "calls" && progenyof($target)/ {
	printf("%s %d\n", zonename, zonename == strjoin("pid:[", strjoin(lltostr(pidns), "]"))); }'
same "$status $(sed 's/[0-9]*\]/N]/' out)" "0 pid:[N] 1" "the root cgroup"
must_trace -n 'syscall::exit_group:entry /pid == $target/ { printf("%s\n", zonename); }' -c true
same "$(cat out)" global "the first namespace"
must_trace -n 'BEGIN { @[zonename] = count(); exit(0); } END { printa("%s\n", @); }'
same "$(grep . out)" global "as a key"
