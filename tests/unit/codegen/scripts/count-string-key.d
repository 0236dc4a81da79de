/* What: a key with a string that is computed lies in the slot. */
syscall::read:entry { @[strjoin(execname, "!"), pid] = count(); }
