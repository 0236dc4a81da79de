/* What a return reads of its entry: clauses that save values, before all others; the parts of the predicate that no call changes. */
fake::read:return /pid == 7 && arg0 < 0 && entry(timestamp) > 1 && execname == "a"/ { printf("%d %s", entry(arg0 + arg1), entry(copyinstr(arg1))); }
fake::read:return { @[entry(probename)] = sum(timestamp - entry(timestamp)); }
