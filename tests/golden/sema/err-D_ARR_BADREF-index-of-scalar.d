BEGIN { trace(pid[1]); trace((1 + 2)[1]); trace(((int *)arg0)[1, 2]); }
