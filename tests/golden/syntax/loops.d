BEGIN
{
	for (this->i = 0; this->i < 3; this->i++)
		x += this->i;
	for (;;) { break; }
	for (; x < 9; ) x++;
	while (x--) { if (x == 3) continue; y++; if (x == 5) break }
	while (1)
		for (this->j = 0, x = 2; x; x--, this->j++)
			;
	for (@a = count(); x; @b = count()) { }
}
