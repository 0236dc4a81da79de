BEGIN { trace(1), commit(1); }
BEGIN { x = 1, exit(0); }
BEGIN { (trace(1)); }
BEGIN { 1, stack(); }
