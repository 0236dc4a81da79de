/* What: a formatted record is made where a clause reads a field, also for the other clauses there. */
fun:tracefs::record { @a[args.path] = count(); }
fun:tracefs::record { @b = count(); }
