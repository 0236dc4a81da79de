/* What: a fault calls the ERROR clauses, which see it as arg1 to arg5. */
BEGIN { x = 0; trace(10 / x); }
syscall::read:entry { trace(*(int *)arg1); }
ERROR { printf("%d %d %d %x", arg1, arg2, arg4, arg5); errors++; }
