BEGIN { trace(cwd); trace(curpsinfo->pr_pid); trace(libc`errno`x); zonename = "x"; }
