/* What: strings are after the fields and cost only their length. */
BEGIN { printf("%s opens %s %d", execname, strjoin(execname, "!"), pid); }
