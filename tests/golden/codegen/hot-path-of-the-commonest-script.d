/* What: the hot path of the commonest script, with its prologue.  Options: prologue=1 */
syscall:::entry /pid == $target/ { @[probefunc] = count(); }
