BEGIN { @ = llquantize(1, 10, 3, 2, 20); @b = llquantize(1, 10, 0, 30, 20); }
