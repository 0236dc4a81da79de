BEGIN { self->s = speculation(); speculate(self->s); trace(self->s); }
BEGIN { speculate(self->s); }
BEGIN { speculate(self->s); x = 1; }
BEGIN { if (x) commit(self->s); else discard(self->s); discard(0); }
BEGIN { commit(1); commit(2); discard(3); }
