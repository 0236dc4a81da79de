/* What: a predicate that needs a slot gives it back when it is false. */
syscall::openat:entry /strlen(copyinstr(arg1)) > 3/ { trace(arg2); }
