/* What: user memory may be waited for; a firing is counted while it runs.  Options: prologue=1 */
fun:program:first:entry, fun:program:second:entry { @[copyinstr(arg0)] = count(); }
