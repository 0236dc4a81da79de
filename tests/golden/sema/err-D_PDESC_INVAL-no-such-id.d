999 { trace(1); }
