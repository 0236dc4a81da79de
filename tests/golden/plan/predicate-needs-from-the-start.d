/* What: the predicate's needs exist from the start; those of the body come after it. */
tick-1 /strlen(execname) > 3 && timestamp > 5/ { trace(execname); }
tick-1 /arg0/ { @[lltostr(arg0)] = count(); }
