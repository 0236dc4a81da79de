BEGIN { printf("%*d", 65537, 1); }
