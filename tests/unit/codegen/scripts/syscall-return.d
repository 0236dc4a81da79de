/* What: result and status of a call; the number comes from the registers. */
syscall::read:return, syscall::write:return { printf("%d %d %d", arg0, arg1, errno); }
