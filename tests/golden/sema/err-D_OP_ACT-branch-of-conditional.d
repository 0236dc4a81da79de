BEGIN { x = pid ? trace(1) : commit(2); }
BEGIN { x = 1 ? exit(0) : 0; }
BEGIN { pid ? stack() : ustack(); }
