/* What: strings go after the fields and cost what they are long. */
BEGIN { printf("%s opens %s %d", execname, strjoin(execname, "!"), pid); }
