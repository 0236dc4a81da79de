/* What: memory that a read's address comes from, and the conditions it stands in, are looked at before the effects. */
long n, p[int];
syscall::read:entry
{
	n++;
	if (copyinstr(arg0) == "a")
		trace(*(int *)copyin(*(uintptr_t *)copyin(arg1, 8), 4));
	p[1] = arg2;
	@[p[1] / n] = count();
}
