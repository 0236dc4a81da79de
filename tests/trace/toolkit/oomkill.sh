# What: oomkill shows a process that is killed by the limit of its control group.  Needs: btf python3.
. "$LIB"
need_cgroups
if grep -qw memory "$cgroups/cgroup.subtree_control"; then
	own_group
	limit=$group/memory.max
else
	group=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/mounts)
	[ -n "$group" ] || skip "no memory controller"
	group=$group/dtrace-test-$$
	mkdir "$group" 2>/dev/null || skip "no control group can be made"
	trap 'until_true 2 no_group' EXIT
	limit=$group/memory.limit_in_bytes
fi
echo 30M >"$limit" || skip "no limit can be set"
for swap in "$group/memory.swap.max" "$group/memory.swappiness"; do
	[ -e "$swap" ] && echo 0 >"$swap"
done
# Python itself, not a script that starts it.
python=$(python3 -c 'import sys; print(sys.executable)')
cat >grow.sh <<E2
echo \$\$ >$group/cgroup.procs
exec $python -c 'b = bytearray(200000000)'
E2
tool oomkill -c "sh grow.sh"
same "$(awk '$3 ~ /python/ && $5 ~ /python/ && $2 == $4 && $6 > 30000' out | wc -l)" 1 "the victim"
contains '^ *1 processes killed$'
