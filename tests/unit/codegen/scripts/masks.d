/* What: a bit of the probe's entry for clauses that are not enabled everywhere. */
syscall::read:entry { trace(1); }
syscall:::entry { trace(2); }
syscall::write:entry, syscall::openat:entry { trace(3); }
