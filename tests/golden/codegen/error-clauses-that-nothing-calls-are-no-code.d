/* What: without possible faults, there is no code of ERROR clauses. */
BEGIN { x = 1; }
ERROR { errors++; }
