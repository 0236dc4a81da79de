BEGIN { @ = lquantize(1, 10, 5); }
