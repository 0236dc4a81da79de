BEGIN
{
	if (a) if (b) x = 1; else x = 2;
	if (a) { } else if (b) { y = 1 } else { y = 2; ; }
	if (c) ;
}
