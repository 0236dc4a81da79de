/* What: execname is compared with a literal in the frame, as words. */
syscall::read:entry /execname == "cat" && arg2 > 100/ { trace(arg2); }
