#!-Z
inline int f = args[0];
nothing:::here { trace(args[0]); }
