/* What: fields, what follows the record, flags of conditional actions, alloca memory. */
fun:::entry
{
	this->m = (char *)copyin(arg0, 8);
	if (arg1)
		printf("%s %d", stringof(this->m), arg1);
	ustack(5);
}
