1 { trace(1); }
6 { trace(2); }
