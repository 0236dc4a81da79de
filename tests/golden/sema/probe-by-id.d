1 { trace(1); }
4-5 { trace(2); }
