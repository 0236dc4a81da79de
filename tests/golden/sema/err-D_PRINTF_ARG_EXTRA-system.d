BEGIN { system("ls", 1); freopen("x", 1); }
