/* What: functions of the kernel whose arguments are at the same places have one program, returns another. */
fun:::entered { @a[arg0] = count(); }
fun:::returned /arg1 < 0/ { @b[probefunc] = count(); }
