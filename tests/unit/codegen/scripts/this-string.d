/* What: a string of this lives in the slot, which the hook's head claims for all clauses. */
syscall::read:entry { this->name = strjoin(probefunc, "()"); }
syscall::read:entry { trace(this->name); }
