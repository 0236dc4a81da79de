/* What: writes to user memory, with their faults; no record. */
write:entry { copyout(alloca(4), arg1, 4); copyout((void *)arg1, arg2, arg0); copyoutstr(execname, arg1, arg2); }
