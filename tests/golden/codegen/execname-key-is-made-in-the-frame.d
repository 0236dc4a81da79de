/* What: execname goes straight into a key of the frame. */
syscall::read:entry { @[execname] = count(); }
