/* A wrong kind of argument is found first, whatever tags the function has for others; an action has no value. */
BEGIN { @a = count(); stack("x"); ustack("x"); ustack(1, "x"); jstack(stack()); trunc(@a, "x"); tracemem(0, "x"); }
BEGIN { exit(exit(0)); exit(stack()); x = strlen(trace(1)); sym(exit(0)); }
