struct f { int x; } f;
BEGIN { s = "a"; s += 1; s -= "b"; f += 1; s |= 1; f *= 2; }
