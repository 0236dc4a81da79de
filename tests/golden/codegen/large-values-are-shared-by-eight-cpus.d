/* What: with many CPUs each has its own value; large ones are shared by eight.  Options: areas=64 code=0 */
BEGIN { @s[pid] = sum(1); @q[pid] = quantize(arg0); @l[pid] = lquantize(arg0, 0, 1000); }
