/* What: entry shows all six arguments, return the value.  Needs: uprobe.  Executors: kernel process.  Trigger: calls 3. */
pid$target:calls:outer:entry { printf("outer(%d %d %d %d %d %d)\n", arg0, arg1, arg2, arg3, arg4, arg5); }
pid$target:calls:inner:return { printf("inner: %d\n", arg1); }
pid$target:calls:outer:return { printf("outer: %d\n", arg1); }
