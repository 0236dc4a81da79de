/* What: results at the edges: signs by type, rounding to zero, sums that wrap, squares; the outermost buckets; rows of llquantize on both sides. */
BEGIN
{
	@a = avg(-7); @a = avg(2); @b = avg(7); @b = avg(0);
	@low = min((char)-3); @high = max(4294967295u); @minus = max((int)-1); @sum = sum((short)-1); @sum = sum(3);
	@wraps = sum(9223372036854775807); @wraps = sum(1); @pointer = sum((char *)16);
	@d = stddev(2); @d = stddev(4); @d = stddev(4); @d = stddev(4); @d = stddev(5); @d = stddev(5); @d = stddev(7); @d = stddev(9);
	@e = stddev(10); @e = stddev(-10);
	printa("%@d %@d %@d %@d %@d %@d %@d %@d %@d\n", @a, @b, @low, @high, @minus, @sum, @wraps, @pointer, @d);
}
BEGIN { normalize(@e, 3); printa("stddev by 3: %@d\n", @e); }
BEGIN
{
	@powers[1] = quantize(-2); @powers[1] = quantize(-3); @powers[1] = quantize(-4); @powers[1] = quantize(-1); @powers[1] = quantize(7);
	@linear["less", 4294967297] = lquantize(-9223372036854775807 - 1, 0, 4); @linear["more", 4294967297] = lquantize(4294967297, 0, 4);
	@uneven = lquantize(23, 0, 25, 10); @steps = lquantize(-3, -5, 5, 2, 10);
	printa(@powers); printa(@linear); printa(@uneven); printa(@steps);
}
BEGIN
{
	@few = llquantize(1, 10, 0, 1, 5); @few = llquantize(3, 10, 0, 1, 5); @few = llquantize(9, 10, 0, 1, 5); @few = llquantize(10, 10, 0, 1, 5);
	@few = llquantize(29, 10, 0, 1, 5); @few = llquantize(99, 10, 0, 1, 5);
	@zero = llquantize(-1, 10, 0, 1, 10); @zero = llquantize(-15, 10, 0, 1, 10); @zero = llquantize(0, 10, 0, 1, 10);
	@far = llquantize(-1000, 10, 1, 1, 5); @far = llquantize(-5, 10, 1, 1, 5); @far = llquantize(15, 10, 1, 1, 5);
	printa(@few); printa(@zero); printa(@far);
}
BEGIN { clear(@far); printa(@far); exit(0); }
