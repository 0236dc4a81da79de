BEGIN { @a = llquantize(1, 10, 0, 3, 0); @b = llquantize(1, 10, 0, 3, -1); @c = llquantize(1, 10, 0, 3, pid); }
