# What: the start of sched:::tick, which compares with the address of one function, does not read all symbols.  Needs: btf.
. "$LIB"
"$DTRACE" -lvvn sched:::tick >out 2>err
grep -q 'tracepoint hrtimer_expire_entry' out || skip "sched:::tick is a function here"
must_trace -n 'syscall::openat:entry /pid == $target/ { self->path = arg1; }
	syscall::openat:return /self->path/ { @[copyinstr(self->path)] = count(); self->path = 0; }' \
	-c "$DTRACE -q -n sched:::tick{exit(0)}"
contains '/sys/kernel/btf/vmlinux'
grep -q /proc/kallsyms out && fail 'all symbols were read'
must_trace -n 'syscall::openat:entry /pid == $target/ { self->path = arg1; }
	syscall::openat:return /self->path/ { @[copyinstr(self->path)] = count(); self->path = 0; }' \
	-c "$DTRACE -q -n BEGIN/&\`schedule!=NULL/{exit(0)}"
contains '/proc/kallsyms'
