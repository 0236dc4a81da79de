BEGIN
{
	@ = count(); @a[pid] = sum(arg0); @b[execname, probefunc] = avg(timestamp); @c = min(1); @d = max(-1);
	@e = stddev(arg0); @f = quantize(arg0); @f = quantize(arg0, 3); @g = lquantize(arg0, 0, 100, 10);
	@g2 = lquantize(arg0, -10, 10); @g3 = lquantize(arg0, 0, 100, 10, arg1);
	@h = llquantize(arg0, 10, 0, 6, 20); @h2 = llquantize(arg0, 2, 0, 10, 2, arg1);
	@i[stack(), ustack(3), sym(arg0), uaddr(arg1)] = count(); @a[timestamp] = sum(pid);
	@j[(char *)arg0] = count(); @i[stack(), ustack(3), func(arg0), umod(arg1)] = count();
}
