fake:::entry /execname == "cat" && pid > 1/
{
	self->start = timestamp;
	@[probefunc, arg0] = count();
	printf("%s %d\n", execname, pid);
}
fake::read:return /self->start/
{
	@times["ns"] = quantize(timestamp - self->start);
	self->start = 0;
}
END { printa(@times); trunc(@times, 5); exit(0); }
