/* What: another machine's registers.  Options: arch=aarch64 status=0 */
fun:program:first:entry { trace(arg0); trace(uregs[31]); }
fun:program:first:return { trace(arg1); }
syscall::read:entry { trace(arg2); }
