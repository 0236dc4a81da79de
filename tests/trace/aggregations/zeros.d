/* What: aggregated values are printed even if they are zero: values and weights that cancel out, with keys and without; after clear(), not after trunc(). */
BEGIN
{
	@sum = sum(5); @sum = sum(-5); @avg = avg(0); @low = min(0); @high = max(0); @dev = stddev(7);
	@powers = quantize(4, 3); @powers = quantize(4, -3);
	@keyed["k"] = quantize(4, 3); @keyed["k"] = quantize(4, -3);
	@lines = lquantize(1, 0, 60000, 1, 0);
	@both = llquantize(1, 10, 0, 1, 10, 2); @both = llquantize(1, 10, 0, 1, 10, -2);
	@never = quantize(1, arg0); @gone = quantize(4, 0);
	trunc(@never); trunc(@gone);
	printa("%@d %@d %@d %@d %@d\n", @sum, @avg, @low, @high, @dev);
	printa("powers%@d", @powers); printa("of %s%@d", @keyed); printa("lines%@d", @lines); printa("both%@d", @both);
	printa("gone%@d", @gone);
	clear(@powers);
	printa("cleared%@d", @powers);
	exit(0);
}
