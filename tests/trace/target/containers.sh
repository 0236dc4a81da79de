# What: target=container finds a container's processes by the names that runtimes give its control group, and no other's.
. "$LIB"
own_group
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
other=f$id
cat >all.sh <<'S'
n=0
while read -r name; do
	n=$((n + 1))
	sh within "$name" sh -c "exit $n"
done <names
S
cat >names <<N
docker-$id.scope
system.slice/libpod-$id.scope/container
kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice/cri-containerd-$id.scope
crio-$id.scope
docker/$id
kubepods/burstable/pod1/$id
docker-$other.scope
libpod-conmon-$id.scope
kubepods/burstable/pod1/$other
lxc.payload.web
lxc/web
machine.slice/machine-web.scope
machine.slice/systemd-nspawn@web.service
lxc.payload.web-2
N
# containers WANTED ID... - the numbers of the names whose processes are traced
containers() {
	wanted=$1
	shift
	trace "$@" -n 'syscall::exit_group:entry { @[arg0] = count(); } END { printa("%d\n", @); }' -c "sh all.sh"
	same "$status $(echo $(sort -n out))" "0 $wanted" "$*"
}
containers '1 2 3 4 5 6' -x target=container:$id
containers '1 2 3 4 5 6' -x target=container:0123456789ab
containers '7 9' -x target=container:$other
containers '10 11 12 13' -x target=container:web
containers '1 2 3 4 5 6 10 11 12 13' -x target=container:web -x target=container:0123456789ab
