BEGIN
{
	if (pid == 1) { trace(1); x = 5; } else if (pid) trace(2); else { @ = count(); }
	if (tid) exit(1);
	trace(3);
}
