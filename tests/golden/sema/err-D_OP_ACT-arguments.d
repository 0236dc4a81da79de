BEGIN { tracemem(sym(arg0), 8); tracemem(arg0, 8, stack()); exit(sym(arg0)); speculate(sym(arg0)); sym(sym(arg0)); }
BEGIN { @a = sum(sym(arg0)); @b = quantize(1, stack()); normalize(@a, sym(arg0)); trunc(@a, stack()); }
BEGIN { if (stack()) trace(1); sym(arg0) ? 1 : 2; }
BEGIN /ustack()/ { }
