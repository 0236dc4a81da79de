/* What: committed records are printed at their commit, discarded ones never; ids come back. */
BEGIN { self->a = speculation(); }
BEGIN { printf("ids %d %d\n", self->a, speculation()); }
BEGIN { speculate(self->a); printf("1 of a, %s", "text"); printf(" at %s\n", probename); }
BEGIN { printf("before\n"); }
BEGIN { speculate(self->a); printf("2 of a\n"); x = 5; }
BEGIN { commit(self->a); }
BEGIN { printf("after, x is %d\n", x); }
BEGIN { discard(self->a); commit(self->a); }
BEGIN { speculate(self->a); printf("never\n"); }
BEGIN { self->b = speculation(); printf("again %d\n", self->b); }
BEGIN { speculate(self->b); printf("discarded\n"); }
BEGIN { discard(self->b); }
BEGIN { self->c = speculation(); speculate(self->c); printf("c, %d\n", self->c); }
BEGIN { speculate(0); printf("never\n"); }
BEGIN { exit(0); }
END { commit(1); }
