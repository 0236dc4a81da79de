/* What: printa() of several aggregations joins their keys of any widths; missing values are 0; formats take keys and values in order, the last value again. */
BEGIN
{
	@count[(int)-1, "minus"] = count();
	@count[(int)20, "twenty"] = count();
	@count[(int)20, "twenty"] = count();
	@count[(int)3, "three"] = count();
	@sum[(long)20, "twenty"] = sum(-5);
	@sum[(long)4000000000, "large"] = sum(7);
	@average[(short)3, "three"] = avg(10);
	@average[(short)3, "three"] = avg(20);
	@low[(long)20, "twenty"] = min(-9);
	@shape[(long)3, "three"] = quantize(5);
	printf("by the first value");
	printa(@count, @sum, @average, @low);
	printf("by the first of the list");
	printa(@sum, @count);
	printf("one key each line\n");
	printa("%d|%s|%@d|%@d|%@d|%@d|%@x|\n", @count, @sum, @average, @low);
	printa("%-6d%10s %@5u%%\n", @count);
	printa("no conversion\n", @count);
	printa("%@d with a histogram%@d.\n", @count, @shape);
	@wide[6, 1, "x"] = count(); @wide[-6, 2, "y"] = count();
	printa("%*d|%.1s|%@06d|\n", @wide);
	@address = max(65);
	printa("%@#x %@o %@+d|\n", @address);
	exit(0);
}
