BEGIN { @ = count(); commit(1); }
BEGIN { ustack(); commit(1); }
BEGIN { tracemem(&`max_pfn, 4); commit(1); }
BEGIN { exit(0); commit(1); }
BEGIN { commit(1); exit(0); }
BEGIN { commit(1); stack(); }
