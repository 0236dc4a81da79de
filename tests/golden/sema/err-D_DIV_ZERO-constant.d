BEGIN { trace(pid / 0); trace(1 % 0); x = 5; x /= 0; }
