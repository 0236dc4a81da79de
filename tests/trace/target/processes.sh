# What: targets and -p, -c are joined by and: a process of the group must be in the tree of one of these.
. "$LIB"
own_group
sh within wanted sh -c 'until [ -e go ]; do sleep 0.05; done; sh -c "exit 1"; exit 2' &
first=$!
sh within wanted sh -c 'until [ -e go ]; do sleep 0.05; done; exit 3' &
second=$!
sh within other sh -c 'until [ -e go ]; do sleep 0.05; done; exit 4' &
third=$!
until_true 10 test -e "$group/wanted" -a -e "$group/other" || fail "no groups"
program='BEGIN { system("touch go"); } syscall::exit_group:entry /arg0/ { printf("%d\n", arg0); }'
in_group() {
	[ "$(wc -l <"$group/wanted/cgroup.procs")" -ge 2 ] && grep -q . "$group/other/cgroup.procs"
}
until_true 10 in_group || fail "the processes are not in their groups"
trace -w -x "target=cgroup:$path/wanted" -p $first -p $third -n "$program"
wait $first $second $third
same "$status $(echo $(sort out))" "0 1 2" "two processes of -p, of which one is in the group"
trace -x "target=cgroup:$path/wanted" -x target=exec:touch -n 'syscall::exit_group:entry { printf("%s %d\n", execname, arg0); }' \
	-c "sh -c 'touch x; sh within wanted sh -c \"exit 5\"; sh within other sh -c \"exit 6\"'"
same "$status $(echo $(cat out))" "0 touch 0 sh 5" "a group or a program, and -c"
