#!-Z
nothing:::here { trace(1); }
