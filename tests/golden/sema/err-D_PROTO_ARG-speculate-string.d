BEGIN { speculate("a"); }
BEGIN { commit(); }
BEGIN { discard(1, 2); }
BEGIN { trace(speculate(1)); }
BEGIN { trace(speculation(1)); }
