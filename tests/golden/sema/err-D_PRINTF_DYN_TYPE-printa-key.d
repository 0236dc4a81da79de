BEGIN
{
	@["text", 1] = count();
	printa("%*d %@d\n", @);
}
