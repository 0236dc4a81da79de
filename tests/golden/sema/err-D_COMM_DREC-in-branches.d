BEGIN { if (pid) trace(1); else commit(1); }
BEGIN { if (pid) speculate(1); else @ = count(); }
BEGIN { if (pid) { if (tid) commit(1); } else speculate(1); }
BEGIN { if (pid) commit(1); else discard(1); }
