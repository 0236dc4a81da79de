/* What: variables that were never set are zeros of any size, never text of the program; zero resets them. */
struct large { char a[2000]; };
struct odd { char a[3]; };
struct large g, kept;
self struct large s;
self struct odd o;
struct odd small;
BEGIN
{
	x = "a text of the program";
	y = "and another one, which is quite a bit longer than the first";
	kept.a[1000] = 5;
	kept = self->s;
	g.a[300] = 7;
	g = 0;
	printf("%d %d %d %d %d\n", kept.a[296], kept.a[300], kept.a[1000], g.a[296], g.a[300]);
	self->o = 0;
	small.a[2] = 4;
	self->o = small;
	printf("%d ", self->o.a[2]);
	self->o = 0;
	printf("%d\n", self->o.a[2]);
	exit(0);
}
