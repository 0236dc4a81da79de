BEGIN { printf(execname); printf(); }
