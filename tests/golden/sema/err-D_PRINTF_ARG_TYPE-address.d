BEGIN { printf("%s", arg1); }
