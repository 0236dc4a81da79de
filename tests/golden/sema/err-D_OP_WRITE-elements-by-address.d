struct s { int v[3]; } many[int]; self struct s own[int]; int c[4];
BEGIN { *(short *)many[3].v = 1; (*(char *)&self->own[1].v[1])++; many[3].v[1] = 2; *(short *)c = 1; }
