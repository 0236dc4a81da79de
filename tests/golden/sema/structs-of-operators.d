struct s { int v; struct s *next; } a, b; userland struct s *up; struct s x[int];
BEGIN { a = pid ? a : b; trace((pid ? a : *(struct s *)arg0).v); a = (pid, b); x[1] = a = b; a = b; (a = b).v; a = b, b = a; trace(a = *up); a = pid ? *up : *up->next; trace(sizeof(pid ? a : b)); }
