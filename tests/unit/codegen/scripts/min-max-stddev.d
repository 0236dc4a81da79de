/* What: words that only grow, so that zero means nothing yet. */
syscall::read:return { @min = min(arg1); @max[pid] = max(arg1); @dev = stddev(arg1); }
syscall::read:return { @sum = sum(arg1); @avg[execname] = avg(arg1); }
