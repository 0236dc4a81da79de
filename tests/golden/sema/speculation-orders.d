/* Statements that record nothing may be anywhere: discard(), expressions; several commit() are fine. */
BEGIN { x = 1; discard(1); commit(1); y = 2; discard(2); commit(2); z = strlen("a"); }
BEGIN { x = 1; discard(1); speculate(1); y = 2; discard(2); trace(y); }
BEGIN { if (x) discard(1); speculate(1); }
