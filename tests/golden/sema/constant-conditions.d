inline int on = 1; inline int off = 0; inline int choice[int x] = x ? 7 : 8;
BEGIN { on ? printf("a\n") : 1; off ? printf("b %d\n", nosuch) : 1; off ? 1 : trace(2); }
BEGIN { on && !off ? @[pid] = count() : 1; off ? @b = sum(1) : on ? @c = sum(2) : 1; (on ? stack(3) : 1); }
BEGIN { on && trace(1); off && trace(2); on || trace(3); off || trace(4); off && nosuch; on || nosuch->x; }
BEGIN { on ? x = 3 : 1; on ? self->s = "a" : 0; on ? exit(0) : 1; }
BEGIN { choice[1] == 7 ? speculate(1) : 1; trace(6); }
BEGIN { on ? off ? 1 : clear(@c) : 1; trace(off && nosuch ? 1 : 2); has(struct nosuch) && trace(4); }
