/* What: where a pointer may write: the slot, globals, the thread's block; each is tried. */
struct pt { int x, y; } g; self struct pt s; this struct pt t; int *p;
syscall::read:entry { p = &g.x; *p = 5; this->q = &this->t.x; *this->q += 1; self->r = &self->s.y; *self->r = 2; }
