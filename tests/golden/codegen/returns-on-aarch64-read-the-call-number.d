/* What: the number of a call that returns is pt_regs.syscallno, 4 bytes, not the task's x8.  Options: arch=aarch64 prologue=1 */
syscall::read:return { @ = count(); }
