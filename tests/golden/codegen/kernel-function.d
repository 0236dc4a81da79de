/* What: arguments of a kernel's function: in registers with their size, on the stack by a read of kernel memory; the result. */
fun:core:open:entered { @a = sum(arg0 + arg2); }
fun:::returned /arg1 < 0/ { @b = count(); }
