# What: uregs[] and regs[] hold the user's registers at system calls, timers and functions alike.  Needs: x86_64 uprobe.  Executors: kernel process.
. "$LIB"
# In the order of struct pt_regs: 14 is rdi, 16 rip, 19 rsp.
must_trace -n 'pid$target::spin_inner:entry { printf("%d %d\n", uregs[14] == arg0, (uregs[19] & 15) == 8); exit(0); }' \
	-c "$TRIGGERS/spin 20"
contains '^1 1$'
[ "$EXECUTOR" = process ] && exit
must_trace -n 'syscall::write:entry /pid == $target/ { printf("%d %d %d\n", uregs[14] == arg0, regs[13] == arg1,
	uregs[16] == regs[16] && uregs[16] != 0); exit(0); }' -c "$TRIGGERS/syscalls"
contains '^1 1 1$'
must_trace -n 'profile-997 /pid == $target && arg1 != 0/ { @[uregs[16] == arg1] = count(); }' -c "$TRIGGERS/spin 200"
same "$(awk 'NF { print $1 }' out)" 1 "the interrupted pc"
