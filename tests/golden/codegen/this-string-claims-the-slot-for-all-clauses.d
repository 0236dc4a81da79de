/* What: a string of this lives in the slot, which the prologue claims for all clauses.  Options: prologue=1 */
BEGIN { this->name = execname; }
BEGIN { x = strlen(this->name); }
