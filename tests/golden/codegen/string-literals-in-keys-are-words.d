/* What: string literals of keys are words; both clauses share one aggregation. */
syscall::read:entry { @["read", arg0] = count(); }
syscall::write:entry { @["written by hand", arg0] = count(); }
