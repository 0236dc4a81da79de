BEGIN { printf("%q", 1); printf("%5", 1); printf("%1$d", 1); }
