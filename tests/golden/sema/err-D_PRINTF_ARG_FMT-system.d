BEGIN { system(execname); freopen(); }
