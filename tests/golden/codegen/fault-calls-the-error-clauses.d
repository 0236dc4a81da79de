/* What: a fault calls the ERROR clauses, which see it as arg1 to arg5.  Options: prologue=1 */
BEGIN { x = 0; trace(10 / x); }
ERROR { printf("%d %d %d %x", arg1, arg2, arg4, arg5); errors++; }
