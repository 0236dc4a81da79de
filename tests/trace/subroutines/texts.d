/* What: subroutines that make texts of numbers, addresses and other texts. */
BEGIN
{
	bytes = (uint8_t *)alloca(20);
	bytes[0] = 127;
	bytes[3] = 1;
	bytes[5] = 0xab;
	printf("inet_ntoa %s\n", inet_ntoa(bytes));
	printf("inet_ntoa6 %s\n", inet_ntoa6(bytes));
	printf("inet_ntop %s %s\n", inet_ntop(2, bytes), inet_ntop(10, bytes));
	printf("link_ntop %s %s\n", link_ntop(1, bytes), link_ntop(32, bytes));
	zeros = (uint8_t *)alloca(16);
	printf("unspecified %s", inet_ntoa6(zeros));
	zeros[15] = 1;
	printf(" loopback %s", inet_ntoa6(zeros));
	zeros[10] = 0xff;
	zeros[11] = 0xff;
	printf(" mapped %s %s %s\n", inet_ntoa6(zeros), inet_ntoa6(zeros, 1), inet_ntop(10, zeros));
}
BEGIN
{
	printf("lltostr %s %s %s %s %s %s\n", lltostr(-9223372036854775808), lltostr(255, 16), lltostr(0, 16), lltostr(8, 8),
		lltostr(-1, 2), lltostr(35, 36));
	printf("strtoll %d %d %d %d\n", strtoll("  -42xyz"), strtoll("0x7f", 16), strtoll("zz", 36), strtoll(""));
	printf("strjoin %s, substr %s %s %s %s[%s]\n", strjoin("ab", "cd"), substr("abcdef", 2), substr("abcdef", -2),
		substr("abcdef", 1, -2), substr("abcdef", -8, 4), substr("abcdef", 6));
	printf("toupper %s tolower %s strlen %d\n", toupper("aZ{9\377"), tolower("Az[9"), strlen("12345"));
	printf("strchr %s %s[%s] strrchr %s strstr %s\n", strchr("a/b/c", '/'), strchr("abc", 0), strchr("abc", 'c'),
		strrchr("a/b/c", '/'), strstr("abcabc", "ca"));
	printf("none %d %d %d\n", strchr("abc", 'x') == NULL, strrchr("abc", 'x') == NULL, strstr("abc", "x") == NULL);
	printf("index %d %d %d %d %d\n", index("abcabc", "ca"), index("abcabc", "b", 2), index("abc", "x"), index("abc", "", 9),
		index("abc", "a", -5));
	printf("rindex %d %d %d %d %d\n", rindex("abcabc", "bc"), rindex("abcabc", "bc", 3), rindex("abc", ""), rindex("abc", "a", -1),
		rindex("abc", "", -1));
}
BEGIN
{
	printf("basename %s %s %s %s\n", basename("/usr/lib/"), basename("a"), basename("//"), basename(""));
	printf("dirname %s %s %s %s %s\n", dirname("/usr/lib/"), dirname("a"), dirname("//"), dirname(""), dirname("a//b"));
	printf("cleanpath %s %s %s %s %s\n", cleanpath("/foo//bar/../baz/"), cleanpath("a/.."), cleanpath("a/../.."), cleanpath("/.."),
		cleanpath("./a/./b"));
	this->text = "{\"a\": 1, \"b\": [7, {\"c\": \"x y\"}, [true, null]], \"d\": {\"e\": -1.5e3}}";
	printf("json %s %s %s %s %s %s\n", json(this->text, "a"), json(this->text, "b[1].c"), json(this->text, "b[2][1]"),
		json(this->text, "d.e"), json(this->text, "d"), json(this->text, "b[0]"));
	printf("json none %d %d %d\n", json(this->text, "z") == NULL, json(this->text, "b[3]") == NULL, json(this->text, "a.b") == NULL);
	printf("strtok %s %s %s %d\n", strtok(",,a,bc", ","), strtok(NULL, ",c"), strtok(NULL, ","), strtok(NULL, ",") == NULL);
	exit(0);
}
