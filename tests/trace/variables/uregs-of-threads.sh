# What: uregs[] has the registers that are not in struct pt_regs: selectors, and the last trap (a breakpoint is 3).  Needs: x86_64.
. "$LIB"
# evaltime=exec: in a process that had a uprobe (process/hold.c), the kernel's uprobes take the next breakpoint and note no trap.
must_trace -x evaltime=exec -n 'syscall::getppid:entry /pid == $target/ { printf("%x %x %x %x %d\n", uregs[R_DS], uregs[R_ES],
	uregs[R_FS], uregs[R_GS], uregs[R_TRAPNO]); exit(0); }' -c "$TRIGGERS/selectors"
contains '^2b 2b 0 2b 3$'
