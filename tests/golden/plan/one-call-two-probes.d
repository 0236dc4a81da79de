/* What: a system call's entry that fires two probes: none of its clauses waits for user memory. */
syscall::read:entry { printf("%s", copyinstr(arg1)); } fun::read:call { @[copyinstr(arg1)] = count(); }
