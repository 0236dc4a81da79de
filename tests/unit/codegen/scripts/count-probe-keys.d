/* What: probe names stand as the probe's id in keys. */
syscall:::entry { @[probefunc, probename] = count(); }
