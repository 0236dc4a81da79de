/* What: consumer actions record what they format; freopen("") nothing. */
BEGIN { system("ls %s %d", execname, pid); freopen(""); ftruncate(); setopt("quiet", probename); }
