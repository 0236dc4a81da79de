/* What: actions in a loop leave a record for each pass, all but the first with a flag that it has no heading */
BEGIN { trace(1); for (this->i = 0; this->i < 2; this->i++) trace(this->i); }
