BEGIN { trace(1); speculate(); }
BEGIN { trace(1); commit("x"); }
BEGIN { speculate(1); exit("x"); }
BEGIN { speculate(1); @a = count(1); }
BEGIN { commit(1); trace(); }
BEGIN { speculate(1); stop(1); }
