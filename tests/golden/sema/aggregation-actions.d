BEGIN
{
	@a[pid, execname] = count(); @b[tid, "x"] = sum(1); @q = quantize(1);
	clear(@a); trunc(@a); trunc(@a, 10); trunc(@b, -pid); normalize(@a, 1000); denormalize(@a);
	printa(@a); printa(@a, @b); printa("%d %s %@d\n", @a); printa("%5d %-10s %@u %@x\n", @a, @b);
	printa("%@d", @q); printa("nothing\n", @a);
}
