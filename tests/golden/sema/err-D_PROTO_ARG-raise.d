BEGIN { raise("HUP"); copyout("text", arg0, 4); copyoutstr(1, arg0, 4); }
