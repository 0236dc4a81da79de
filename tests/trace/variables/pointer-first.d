/* What: a pointer into a thread's variables is good for writing, and sees later writes, also when it is the first thing of the thread.  Needs: uprobe.  Trigger: threads 6  Executors: kernel process. */
self int a[2];
self struct { char t[6]; int n; } mine;
pid$target:threads:begin:entry { self->p = &self->a[1]; self->n = &self->mine.n; *self->p = arg0; self->mine.n = 1; }
pid$target:threads:finish:entry { total += *self->p + self->a[1]; made += *self->n; }
END { printf("%d %d\n", total, made); }
