BEGIN { commit(1); if (pid) trace(1); }
