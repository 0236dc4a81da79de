/* What: both ends; END runs while draining. */
BEGIN { trace("begin"); }
tick-1 { @a["x"] = sum(2); }
END { printa(@a); trace("end"); }
