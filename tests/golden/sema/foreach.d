/* What: the keys are hidden variables of the clause; a read before the assignments in the text */
BEGIN { foreach (k, s in later) n += later[k, s] + k + strlen(s); }
END { later[1, "x"] = 2; }
