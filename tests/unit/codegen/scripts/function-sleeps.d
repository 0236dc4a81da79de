/* What: user memory may be waited for. */
fun:program:first:entry { trace(copyinstr(arg0)); trace(*(int *)copyin(arg1, 4)); }
