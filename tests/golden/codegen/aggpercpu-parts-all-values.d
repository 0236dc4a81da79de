/* What: aggpercpu needs the values of each CPU.  Options: parts=1 code=0 */
BEGIN { @q[pid] = quantize(arg0); @l[pid] = lquantize(arg0, 0, 1000); @m[pid] = lquantize(arg0, 0, 10000); }
