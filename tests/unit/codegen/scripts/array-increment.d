/* What: x[k]++ inserts zeros and adds one atomically. */
syscall::read:entry { calls[pid]++; total[arg0] += arg2; }
