# What: print() of kernel structs, by value and through a pointer, agrees with D's reads. Needs: btf.
. "$LIB"
must_trace -x printsize=64k -n 'BEGIN { print(*curthread); printf("pid %x comm %s\n", curthread->tgid, execname); exit(0); }'
head=$(head -n 1 out)
same "$head" 'struct task_struct {' 'first line'
tgid=$(sed -n 's/^    pid_t tgid = 0x//p' out)
same "pid $tgid" "$(sed -n 's/ comm.*//; /^pid/p' out)" tgid
contains '^    char \[16\] comm = \[ "dtrace" \]$'
contains '^}$'

must_trace -x printsize=64k -n 'BEGIN { print(curthread); printf("pid %d\n", curthread->tgid); exit(0); }'
contains '^0x[0-9a-f]* = \*$'
contains '^ \{44\}(struct task_struct) {$'
tgid=$(sed -n 's/^ \{45\}\.tgid = (pid_t)\([0-9]*\),$/\1/p' out)
same "pid $tgid" "$(grep '^pid' out)" tgid

trace -n 'BEGIN { print((struct task_struct *)16); exit(0); } ERROR { printf("%d %x\n", arg4, arg5); exit(1); }'
same "$(head -n 1 out)" "1 10" "a bad address"

must_trace -n 'BEGIN { print(*(struct sched_class *)curthread->sched_class); exit(0); }'
contains '^    .*(\*)(.*) enqueue_task = vmlinux`[a-z_]*$'
