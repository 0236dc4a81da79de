BEGIN
{
	for (i = 0; i < 3; i++)
		trace(i);
	while (x < 3) { x = ; }
	do { y++; } while (y < 3);
	for
}
END { switch (a) { case 1: trace(1); } }
END { return 3; trace(1); }
