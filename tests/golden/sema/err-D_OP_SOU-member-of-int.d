BEGIN { trace(pid.x); trace(((int *)arg0)->x); }
