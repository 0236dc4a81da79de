/* What: enumerators in records, keys and formats; flags; numbers without a name; sorted by number. */
#pragma D option quiet
enum color { RED, GREEN = 5, BLUE };
enum mode { NONE, READ = 1, WRITE = 2, APPEND = 4, SYNC = 0x10 };
enum small { LOW = -1, HIGH = 127 };
enum pair { FIRST = 1, SECOND = 2 };
struct shape { enum color c; enum mode m; };
enum color c;
enum mode m;
enum small s;
struct shape shape;

BEGIN
{
	c = BLUE; m = READ | SYNC; s = LOW;
	trace(c); printf("\n");
	printf("[%s] [%8s] [%-8s] [%.2s] [%d] [%x] [%S]\n", c, c, c, c, c, c, c);
	printf("[%s] [%s] [%s] [%d]\n", m, (enum mode)0, (enum mode)0x45, m);
	printf("[%s] [%s] [%s] [%5s]\n", s, (enum small)2, (enum pair)3, (enum color)77);
	shape.c = GREEN; shape.m = WRITE | APPEND;
	print(shape);
}
BEGIN { @[(enum color)7] = count(); @[RED == 0 ? (enum color)6 : c] = count(); @[(enum color)0] = count(); }
BEGIN { @two[(enum mode)6, "x", 9] = sum(3); @two[(enum mode)0x80, "y", 10] = sum(2); }
BEGIN
{
	setopt("aggsortkey"); printa(@); printa(@two); printa("%s %@d|", @); printf("\n");
	setopt("enumnames", "off"); printa(@); printf("%s %d\n", c, m);
	exit(0);
}
END { clear(@); trunc(@); trunc(@two); }
