BEGIN
{
	printf("no end);
	x = 'a;
	y = '';
	z = 'abcdefghi';
	w = ;
}
