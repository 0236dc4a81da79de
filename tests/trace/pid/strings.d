/* What: a function's string argument by copyinstr.  Needs: uprobe.  Executors: kernel process.  Trigger: calls 4. */
pid$target::with_text:entry { printf("%s\n", copyinstr(arg0)); }
