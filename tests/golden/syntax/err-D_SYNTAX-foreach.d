BEGIN { foreach (k a) x++; }
BEGIN { foreach (in a) x++; }
BEGIN { foreach (1 in a) x++; }
BEGIN { foreach (k in) x++; }
BEGIN { foreach () x++; }
BEGIN { foreach (k in a x++; }
BEGIN { foreach (this->k in a) x++; }
