/* What: one bucket's word is added to; llquantize gets its limits as numbers. */
syscall::read:return { @q = quantize(arg1); @ll = llquantize(arg1, 10, 0, 6, 20); @w = quantize(arg1, 3); }
