BEGIN { trace(d_path(curpath)); trace(d_path(NULL)); }
