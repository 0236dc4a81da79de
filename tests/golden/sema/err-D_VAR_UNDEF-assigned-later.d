/* Only from itself, by a clause with a mistake, by another variable of this name. */
BEGIN { trace(circle); trace(bad); trace(self->mine); trace(list[1]); }
BEGIN { circle = around + 1; around = circle; bad = nothing; this->mine = 1; mine = 1; }
int declared;
BEGIN { declared = 1; list[1, 2] = 3; }
inline int wrong = missing;
