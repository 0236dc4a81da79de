BEGIN { @a = lquantize(1, 0, 10, 0); @b = lquantize(1, 0, 10, -1); @c = lquantize(1, 0, 10, pid); @d = lquantize(1, 0, 10, "a"); }
