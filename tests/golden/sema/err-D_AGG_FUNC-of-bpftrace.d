BEGIN { @x[pid]++; @y++; @z[pid] += 5; }
BEGIN { delete(a, 1); signal(9); @s = stats(1); trace(strncmp("a", "b", 1)); trace(args->filename); }
BEGIN { @start[tid] = timestamp; print(@start, 5); }
BEGIN /@start[tid]/ { print(@start); }
