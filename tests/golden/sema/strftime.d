/* What: the number has a type with the format; keys have only what the format prints */
BEGIN { trace(strftime("%H:%M", walltimestamp)); this->t = strftime("%T%%", 5); printf("%s %d", this->t, this->t); }
BEGIN { @[strftime("%H:%M", walltimestamp), strftime("%T", 1), strftime("%f", walltimestamp), strftime("%N", walltimestamp)] = count(); }
BEGIN { printf("%s", pid ? strftime("%H", walltimestamp) : strftime("%H", 5)); this->n = pid ? strftime("%H", walltimestamp) : 0; }
