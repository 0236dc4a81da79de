/* What: without ERROR clauses a fault leaves its record; one stub for each action and code. */
syscall::read:entry /arg2 % arg0 == 1/ { trace(arg1 / arg2); trace(arg1 % arg2); y = *(int *)arg1; }
