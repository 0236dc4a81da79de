/* What: one bucket's word is added to; lquantize and llquantize get their limits as numbers. */
syscall::read:return { @q = quantize(arg1); @l[pid] = lquantize(arg1, -10, 100, 5); }
syscall::read:return { @ll["x"] = llquantize(arg1, 10, 0, 6, 20); @w = quantize(arg1, 3); }
