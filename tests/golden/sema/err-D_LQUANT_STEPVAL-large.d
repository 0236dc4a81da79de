BEGIN { @ = lquantize(1, 0, 10, 100000); @b = lquantize(1, 0, 10, 0); }
