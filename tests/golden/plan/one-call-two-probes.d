/* What: a system call's entry that fires two probes: the clauses of both may wait for user memory. */
syscall::read:entry { printf("%s", copyinstr(arg1)); } fun::read:call { @[copyinstr(arg1)] = count(); }
