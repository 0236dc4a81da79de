# What: oomkill shows a process that is killed by the limit of its control group.  Needs: btf python3.
. "$LIB"
own_group
grep -qw memory "$cgroups/cgroup.subtree_control" || skip "no memory controller of cgroup2"
echo 20M >"$group/memory.max" || skip "no limit can be set"
echo 0 >"$group/memory.swap.max" 2>/dev/null
tool oomkill -c "sh -c 'echo \$\$ >$group/cgroup.procs && exec $(command -v python3) -c \"b = bytearray(100000000)\"'"
same "$(awk '$3 ~ /python/ && $5 ~ /python/ && $2 == $4 && $6 > 20000' out | wc -l)" 1 "the victim"
