struct a { int x; } a; struct b { int x; } b;
BEGIN { made = "text"; made = 4; number = 5; number = "a"; self->p = (int *)8; self->p = (char *)8; self->p = 5; many[1] = a; many[2] = b; this->l = 1; this->l = a; }
