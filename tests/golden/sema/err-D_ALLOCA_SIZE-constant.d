BEGIN { p = (char *)alloca(4096); q = alloca(4097); }
BEGIN { r = (char *)alloca(-1); s = alloca(pid); }
