/* What: a key of 8 bytes in the frame. */
syscall::read:entry { @reads[arg0] = count(); }
