/* aggpercpu asks for what each CPU added. Options: parts=1 */
BEGIN { @q[pid] = quantize(arg0); @l[pid] = lquantize(arg0, 0, 1000); @m[pid] = lquantize(arg0, 0, 10000); }
