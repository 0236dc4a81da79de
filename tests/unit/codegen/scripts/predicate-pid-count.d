/* What: the hot path of the commonest script. */
syscall:::entry /pid == $target/ { @[probefunc] = count(); }
