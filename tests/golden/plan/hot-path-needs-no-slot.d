/* What: a count by a name, and a small record: keys and records in the frame, no slot. */
syscall::read:entry /pid == 42/ { @[execname] = quantize(arg2); }
syscall::read:return { printf("%d %s", arg1, probefunc); }
