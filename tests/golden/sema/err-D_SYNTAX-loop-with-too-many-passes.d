BEGIN { for (this->i = 0; this->i < 8388609; this->i++) this->n++; }
BEGIN { for (this->i = 0; this->i <= 4000000000; this->i += 2) { if (this->n++) continue; } }
BEGIN { for (this->i = 0; this->i < 8388608; this->i++) this->n++; }
/* limited by maxloop: a break may come in time; the counter changes */
BEGIN { for (this->i = 0; this->i < 9000000; this->i++) { if (this->n++ > 10) break; } }
BEGIN { for (this->i = 0; this->i < 9000000; this->i++) this->i += 1000000; }
/* the break leaves the inner loop */
BEGIN { for (this->i = 0; this->i < 9000000; this->i++) while (this->n++) break; }
