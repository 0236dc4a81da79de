BEGIN { @ = llquantize(1, 10, 0, 6, 0); @b = llquantize(1, 10, 0, 6, 7); @c = llquantize(1, 10, 0, 6, 30); }
