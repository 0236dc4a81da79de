BEGIN { x = stack(); trace(ustack() == 1); y = sym(arg0); a[stack()] = 1; }
