/* What: two probes of one event: one program, a pass for each probe. */
fun:::tick-one { @[probename] = count(); } tick-1 { @[probename] = count(); } profile-97, tick-1 { @n = count(); }
