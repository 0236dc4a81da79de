/* What: what the predicate uses is there from the start; the body's comes after it. */
tick-1 /strlen(execname) > 3 && timestamp > 5/ { trace(execname); }
tick-1 /arg0/ { @[lltostr(arg0)] = count(); }
