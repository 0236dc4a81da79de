/* What: keys of every type: signed numbers in signed order, characters, enumerators, structs by value and their members, pointers, long tuples. */
enum color { RED, GREEN = -3, BLUE = 7 };
struct inner { char c; long l; };
struct outer { struct inner in; short s[2]; };
struct outer o;
struct inner i;
BEGIN
{
	@numbers[(long)-5] = count(); @numbers[(long)5] = count(); @numbers[(long)-9000000000] = count();
	@unsigned_[(unsigned int)4000000000] = count(); @unsigned_[(unsigned int)1] = count();
	@bytes[(char)-1, (unsigned char)255, (short)-2, (unsigned short)65534] = count();
	@enums[BLUE] = count(); @enums[GREEN] = count(); @enums[RED] = count();
	@strings["b"] = count(); @strings["a"] = count(); @strings[""] = count(); @strings["a"] = count();
	i.c = 'x'; i.l = 1; @inner[i] = count(); i.l = 2; @inner[i] = count(); @inner[i] = count();
	o.in = i; o.s[1] = 4; @outer[o] = count();
	@members[o.in.c, o.in.l, o.s[1]] = count();
	@pointers[(void *)0x1000] = count(); @pointers[(void *)0xffff888000000000] = count();
	@many[1, 2, 3, 4, 5, 6, 7, 8, 9, "ten", 11, 12] = count();
	@where[probeprov, probename] = count();
	@literal["always"] = count();
	exit(0);
}
