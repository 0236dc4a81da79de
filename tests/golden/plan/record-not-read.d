/* What: a record whose fields nobody reads is its tracepoint, in one group with others. */
fun:tracefs::record, fun:::switch { @a = count(); }
