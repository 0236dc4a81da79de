/* What: keys of the exact size; 0 deletes, computed values may. */
int seen[int, string];
syscall::read:entry { seen[pid, execname] = 1; names[arg0] = execname; }
syscall::read:return { seen[pid, execname] = 0; last[tid] = arg1; }
END { trace(names[3]); names[3] = 0; }
