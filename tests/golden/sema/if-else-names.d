/* Names made in one branch are known in later branches, whichever runs; actions come before the predicate. */
BEGIN /w == 1/ { if (pid) x = "a"; else trace(x); if (tid) { y = x; w = 1; } }
BEGIN { trace(y); if (pid) if (tid) trace(1); else trace(2); }
