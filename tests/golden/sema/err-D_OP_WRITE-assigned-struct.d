struct s { int v; } a, b; userland struct s *up;
BEGIN { (a = b).v = 1; (a = b).v++; &(a = b); a = b = 5; a = pid ? a : *up; a = pid ? a : 0; (pid ? a : b) = a; }
