/* What: a small record without strings needs no slot. */
syscall::write:entry { printf("%d writes %u bytes (%s:%s)\n", pid, arg2, probefunc, "constant"); }
