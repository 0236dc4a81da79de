nothing:::here { trace(1); }
