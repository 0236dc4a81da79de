BEGIN
{
	x = pid;
	u = 5U;
	trace(x + u); trace(x - 1); trace(x * 2); trace(x / u); trace(x % 3);
	trace(x << 2); trace(x >> 2); trace(u >> 1); trace(x & 1); trace(x | 1); trace(x ^ 1);
	trace(-x); trace(~x); trace(!x); trace(+x);
	trace(x < 1); trace(u >= x); trace(x == u); trace(x != 1); trace(x <= 3); trace(u > 1);
	trace(x && u); trace(x || u); trace(x ^^ u);
	trace((x, u));
	trace(x ? 1 : 2);
}
