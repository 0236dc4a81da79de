BEGIN { x = 1; x[1] = 2; trace(pid[1]); trace(((int *)arg0)[1, 2]); }
