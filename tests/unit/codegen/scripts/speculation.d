syscall::read:entry { self->s = speculation(); speculate(self->s); trace(arg0); }
syscall::read:entry { if (arg0) speculate(self->s); printf("%s", probefunc); }
syscall::read:return { speculate(self->s); trace(copyinstr(arg0)); }
syscall::read:return { commit(self->s); discard(self->s); }
