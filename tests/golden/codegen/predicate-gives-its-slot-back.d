/* What: a predicate that needs a slot gives it back when it is false. */
BEGIN /strlen(execname) > 3/ { trace(pid); }
