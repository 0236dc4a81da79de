/* What: user memory suspends before the first effect; after it a plain address is tried first, another one faults. */
long n;
syscall::openat:entry { self->path = copyinstr(arg1); }
syscall::openat:entry { n++; trace(copyinstr(arg1)); }
syscall::openat:entry { n++; trace(copyinstr(n)); }
