/* What: every conversion with its flags, sizes and widths, printed by a whole run. */
struct data { float f; double d; long double l; char word[8]; int wide[3]; unsigned char bytes[4]; };
struct data v;
BEGIN
{
	v.word[0] = 'h'; v.word[1] = 'i'; v.wide[0] = 'W'; v.wide[1] = 'x'; v.bytes[0] = 'u';
	printf("flags [%#x %#o %05d %0-5d| %-05d| %+d % d %'d %?x]\n", 255, 8, 42, 42, 42, 5, 5, 42, 16);
	printf("stars [%*d %-*d| %*d| %.*d %5.3d]\n", 5, 42, 5, 42, -5, 42, 3, 7, 7);
	printf("characters [%c %C %C %C %C %10c %-4c|]\n", 65, 65, 10, 200, 0, 'x', 'y');
	printf("signs [%d %i %d %u]\n", -1, -1ll, 18446744073709551615ull, -1);
	printf("sizes by type [%o %x %X %u]\n", -1, -1, (short)-1, (char)-1);
	printf("sizes as written [%hd %hx %ld %lx %lld %llx %llu %llX]\n", (short)-2, (short)-2, -3l, 3l, -4ll, 4ull, (uint64_t)5, (int64_t)-1);
	printf("real [%e %E %f %g %G %Le %LE %Lf %Lg %LG %f]\n", v.f, v.d, v.d, v.f, v.d, v.l, v.l, v.l, v.l, v.l, v.l);
	printf("wide [%ls|%ws|%lc|%wc]\n", v.wide, v.wide, 0x41, 0x42);
	printf("addresses [%p %#p %p %a %20a|]\n", 10, 255, (void *)0xabc, 5, func(5));
	printf("texts [%s %.1s %5s %-5s| %s %10.1s]\n", v.word, v.word, v.word, v.word, v.bytes, "abc");
	printf("escapes [%S|%S|%s]\n", "a\tb\n\a\b\f\v\r\001\177", v.word, "\x41\102");
	printf("cells [%6s|%-6s|%4s]\n", "äö", "日本", "e\314\201");
	printf("host [%I|%5I|%P]\n", "192.0.2.1", "?", (uint16_t)65001);
	printf("quoted [%S|%C%C]\n", "say \"C:\\\"", '"', '\\'); /* as C reads it back */
	printf("times [%T|%Y|%25Y|%-25Y|]\n", 1000000000000000000, 1000000000000000000ull, (int64_t)0, 0ll);
	printf("%% [%d%%]\n", 3);
	exit(0);
}
