/* What: the same where hooks may not sleep.  Options: sleep=0 */
fun:program:first:entry { trace(copyinstr(arg0)); trace(*(int *)copyin(arg1, 4)); }
