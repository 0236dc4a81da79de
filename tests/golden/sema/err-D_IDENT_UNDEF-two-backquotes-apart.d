BEGIN { trace(libc`errno`x); }
