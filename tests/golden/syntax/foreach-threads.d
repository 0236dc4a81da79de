END { foreach (self->x) { n++; } foreach (self->y[1] + 1) n--; }
