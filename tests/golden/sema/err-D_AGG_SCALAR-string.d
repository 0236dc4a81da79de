BEGIN { @a = sum("x"); @b = quantize(1, "x"); }
