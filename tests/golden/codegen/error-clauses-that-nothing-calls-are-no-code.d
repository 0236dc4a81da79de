/* What: where nothing can fault, there is no code of ERROR clauses. */
BEGIN { x = 1; }
ERROR { errors++; }
