/* What: a bit of the probe's entry for clauses that are not enabled everywhere. */
syscall::read:entry { @ = count(); }
syscall:::entry { @ = count(); }
syscall::write:entry, syscall::openat:entry { @ = count(); }
