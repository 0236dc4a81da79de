fake::read:entry { args[0] = 1; *args[1] = 0; }
