BEGIN { speculate(1); }
