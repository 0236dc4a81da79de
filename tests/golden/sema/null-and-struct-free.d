struct pt { int x; }; self struct pt s; struct pt m[int];
BEGIN { self->s = 0; m[1] = 0; self->str = "x"; self->str = 0; self->p = (int *)0; self->p = NULL; trace(pid ? NULL : self->p); }
