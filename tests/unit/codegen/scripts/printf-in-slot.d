/* What: strings go behind the fields and cost what they are long. */
syscall::openat:entry { printf("%s opens %s %d", execname, copyinstr(arg1), arg2); }
