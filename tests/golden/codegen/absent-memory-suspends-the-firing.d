/* What: absent user memory before any effect: suspended at the entry, resumed at the return.  Options: prologue=1 */
syscall::openat:entry { trace(copyinstr(arg1)); }
