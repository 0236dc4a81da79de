BEGIN { trace(&5); trace(&(pid + 1)); }
