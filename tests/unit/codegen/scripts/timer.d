/* What: two timers of one hook; where they interrupted. */
profile-97 /arg0/ { @[arg0] = count(); }
tick-1 { printf("%x %x", arg0, arg1); }
