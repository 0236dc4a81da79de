/* What: a read after an effect, at a plain address and in plain conditions, is looked at before the effect. */
long n;
syscall::read:entry
{
	this->p = arg1 + 8;
	n++;
	if (probefunc == "read" || arg2 > 4096)
		trace(*(int *)copyin(this->p, 4));
	else
		trace(copyinstr(arg0));
	@[n] = count();
}
