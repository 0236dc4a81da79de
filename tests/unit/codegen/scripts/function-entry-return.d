/* What: arguments in registers and on the stack, the result, one table for two functions. */
fun:program::entry { @[probefunc, arg0, arg7] = count(); }
fun:program:first:return { trace(arg1); }
