/* What: what comes behind exit() in its clause runs; later clauses ask the activity. */
syscall::read:entry { trace(1); exit(3); trace(2); }
syscall::read:entry { trace(3); }
END { trace(4); }
