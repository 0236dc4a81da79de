/* What: x[k]++ inserts zeros and adds one atomically. */
BEGIN { calls[pid]++; }
