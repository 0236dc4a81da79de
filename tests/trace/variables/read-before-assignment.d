/* What: variables that are read before the text assigns to them.  Needs: uprobe.  Trigger: threads 6  Executors: kernel process. */
pid$target:threads:finish:entry /self->busy/ { total += depth[probemod] + this->n; self->busy = 0; }
pid$target:threads:begin:entry { this->n = 1; }
pid$target:threads:begin:entry { self->busy = 1; depth[probemod] = 10; calls++; last = probefunc; }
END { printf("%d %d %s\n", total, calls, last); }
