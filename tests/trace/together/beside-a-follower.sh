# What: each way to start a program, beside another dtrace with follow=all on all functions of the same linker and C library.  Needs: uprobe uprobe_multi cc.
# Executors: kernel (children).
. "$LIB"
own_pins
. "${LIB%/*}/together/programs.inc"
follower

traced_alike exec "$all_functions" -Z -x evaltime=exec
traced_alike preinit "$all_functions"
traced_alike postinit 'own2 in_library2 ' -x evaltime=postinit
traced_alike main 'own2 in_library2 ' -x evaltime=main
"$DTRACE" -n "$work_functions" -c ./work >out 2>err
contains 'exited with status 7$' err

for follow in fork exec tree all private; do
	[ $follow != private ] || grep -q 'bpf_task_work_schedule_resume' /proc/kallsyms || continue
	trace -Z -x follow=$follow -n 'pid$target:library.so:in_library:entry { @ = count(); } END { printa("calls %@d\n", @); }' -c './runner 3'
	contains '^runs 3$'
	# The programs that children execute: all but fork, whose set is left by exec, have them.
	[ $follow = fork ] || same "$(value_of calls)" 6 "calls with follow=$follow"
done

# Processes that run already, and what they load later.
./work ./go >own-out &
child=$!
until_true 10 grep -q ready own-out || fail "the program does not run"
rm -f probes
background -o probes -Z -n "$work_functions"' pid$target:later.so:in_later:entry { printf("%s%d ", probefunc, arg0); } BEGIN { printf("begun\n"); }' -p $child
until_true 10 grep -qs begun probes || fail "dtrace -p does not begin"
touch go
wait $child
same $? 7 "status of the process"
until_true 10 gone "$pid" || fail "dtrace -p does not end"
same "$(tr -d '\n' <probes)" 'begunown2 in_library2 in_later3 ' "output with -p"
same "$(tr '\n' ' ' <own-out)" 'ready done ' "what the process wrote"

# By a property of the process.
trace -x target=exec:work -n 'syscall::exit_group:entry { printf("%s %d", execname, (int)arg0); exit(0); }'
[ "$status" = 0 ] || fail "status with target=exec:work"
same "$(head -n 1 out)" 'work 7' "output with target=exec:work"

# At boot, or as if it were.
"$DTRACE" -A -o saved -n 'syscall::exit_group:entry /execname == "work"/ { @[(int)arg0] = count(); }' 2>err || fail "status of -A"
"$DTRACE" -x anonfile="$PWD/saved" -x anon=run 2>err || fail "status of anon=run"
./work >/dev/null
trace -ae
[ "$status" = 0 ] || fail "status of -ae"
contains '^ *7 *[1-9]'
follower_ends
