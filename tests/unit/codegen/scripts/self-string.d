/* What: strings in self variables. */
syscall::openat:entry { self->path = copyinstr(arg1); }
syscall::read:entry /self->path != NULL/ { trace(self->path); self->path = 0; }
