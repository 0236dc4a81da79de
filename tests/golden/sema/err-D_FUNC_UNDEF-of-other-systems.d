BEGIN { trace(msgsize(0)); trace(ddi_pathname(0, 0)); trace(memstr(0, ' ', 1)); printm(1, 0); }
