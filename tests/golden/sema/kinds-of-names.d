/* Aggregations, global, self and this variables have a name space each; this is one for all clauses. */
int x; self string x; this char x;
BEGIN { x = 1; self->x = "a"; this->x = 2; @x[pid] = count(); y = "global"; this->y = tid; self->y = (char)1; @y = max(1); }
END { trace(x); trace(self->x); trace(this->x); trace(y); trace(this->y); trace(self->y); @x[1] = count(); @y = max(2); }
