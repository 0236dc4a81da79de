BEGIN { self->x = 1; self->a[1] = 2; self->f = stack(); foreach (self->x) n++; }
END { foreach (self->unknown) n++; }
END { foreach (self->a) n++; }
END { foreach (self->a[1]) n++; }
END { foreach (self->x + 1) n++; }
END { foreach (self->f) n++; }
END { foreach (this->x) n++; }
END { foreach (k, l in self->x) n++; }
