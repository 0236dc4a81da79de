BEGIN
{
	x = 1;

