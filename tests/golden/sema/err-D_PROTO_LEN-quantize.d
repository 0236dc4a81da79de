BEGIN { @a = quantize(); }
BEGIN { @b = quantize(1, 2, 3); }
