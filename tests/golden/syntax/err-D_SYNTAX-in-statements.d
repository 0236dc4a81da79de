BEGIN
{
	x = ;
	y = 1 z = 2;
	printf("a" "b");
	self = 3;
	this int q;
	int r;
	while (1) x++;
	{ x = 1; }
	f(1, );
	a[];
	x = 3
	y = 4;
	else z = 1;
	1.5 + 2e3 + .5;
	0xZ; 0XZ; 089; 12abc; 99999999999999999999;
	`;
	x = # 3;
	x = $;
	good = 1;
}
