BEGIN { sym(arg0) + 1; !mod(arg0); -usym(arg0); *uaddr(arg0); sym(arg0), 2; (ustack()) && 1; 1 ^^ umod(arg0); }
BEGIN { self->x = sym(arg0); this->x = func(arg0); trace(sym(arg0) == sym(arg1)); trace(sizeof (sym(arg0))); trace(sizeof (stack())); }
