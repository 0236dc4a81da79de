/* What: a formatted record is made where a clause reads a field, also for the other clauses there. */
fun:::record { @a[args.path] = count(); }
fun:::record { @b = count(); }
