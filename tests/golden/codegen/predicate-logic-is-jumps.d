/* What: && and || of a predicate are jumps, not values. */
syscall::write:entry /(arg0 == 1 || arg0 == 2) && !(arg2 < 10)/ { @ = count(); }
