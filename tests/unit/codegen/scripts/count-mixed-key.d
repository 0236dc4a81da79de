/* What: a name of the probe here and another string there: text everywhere. */
syscall::read:entry { @[probefunc] = count(); }
syscall::write:entry { @["out"] = count(); }
