/* What: a key's column has the width of the key's first use; later keys may be wider numbers, whose values are kept whole. */
BEGIN
{
	@a[1, (char)2, "x"] = count();
	@a[(long)7, 300, "y"] = count();
	@a[(long)9000000000, (short)-3, "z"] = count();
	@b[(long)1] = count();
	@b[2] = count();
	printa(@a);
	printa("%d %d\n", @a);
	printa(@b);
	exit(0);
}
