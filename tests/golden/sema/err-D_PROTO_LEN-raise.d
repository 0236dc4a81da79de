BEGIN { raise(); stop(1); copyout(alloca(1), 2); panic(1); breakpoint(1); chill(); copyoutstr("x", 1); }
