BEGIN
{
	for (i = 0; i < 3)
		x = i;
	while (x < 3) { x = ; }
	do { y++; } while (y < 3);
	for
}
END { switch (a) { case 1: trace(1); } }
END { return 3; trace(1); }
END { while x < 3 { x++; } }
END { for (i = 0; i < 3; i++) { x++; }
