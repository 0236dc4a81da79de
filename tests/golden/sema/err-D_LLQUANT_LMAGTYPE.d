BEGIN { @ = llquantize(1, 10, pid, 6, 20); }
