/* What: one clause at several kinds of events: needs by event. */
fun:::entry, fun:::return, BEGIN { @[ucaller, pid] = count(); }
