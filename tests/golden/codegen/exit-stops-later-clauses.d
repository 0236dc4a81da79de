/* What: what comes after exit() in its clause runs; later clauses test the activity. */
syscall::read:entry { x++; exit(3); x++; }
syscall::read:entry { x++; }
END { x++; }
