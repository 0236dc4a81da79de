/* What: an id that speculation() has never given is a fault, which names it; one that has ended is silent; 0 is nothing. */
BEGIN { speculate(1); printf("not shown\n"); }
BEGIN { commit(2); }
BEGIN { discard(70000); }
BEGIN { discard(0); commit(0); }
BEGIN { old = speculation(); discard(old); }
BEGIN { discard(old); commit(old); }
BEGIN { speculate(old); printf("not shown\n"); }
BEGIN { commit(old + 1); }
ERROR { printf("action %d, fault %d, %d\n", arg2, arg4, arg5); }
BEGIN { exit(0); }
