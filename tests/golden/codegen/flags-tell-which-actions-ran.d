/* What: a flag of the record for each action that may not run. */
syscall::read:entry
{
	trace(pid);
	if (arg2 > 4096) {
		printf("large %d", arg2);
	} else {
		if (arg0 == 0)
			trace("terminal");
		x++;
	}
	trace(x);
}
