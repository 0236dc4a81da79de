/* What: fields of a formatted record: in place, an array's address, data elsewhere in the record. */
fun:tracefs::record { @a[args.path, args.comm] = sum(args.error); @b[(uint64_t)args.address] = count(); }
