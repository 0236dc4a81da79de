/* What: without ERROR clauses a fault leaves its record; one stub for each action and code. */
BEGIN /arg2 % arg0 == 1/ { x = arg1 / arg2 + arg1 / arg3; y = arg1 % arg2; }
