/* What: user memory that is not resident yet is read, not reported.  Needs: uprobe.  Executors: kernel process.  Trigger: pointers absent 3. */
pid$target::take:entry { printf("%s\n", copyinstr(arg0)); }
