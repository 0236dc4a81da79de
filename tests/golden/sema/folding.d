BEGIN
{
	trace(1 + 2 * 3); trace(7 / 2); trace(-7 / 2); trace(-7 % 3); trace(1 << 40);
	trace(-1 >> 1); trace(0xffffffff + 1); trace(~0); trace(!5); trace(-5);
	trace((char)300); trace((unsigned char)-1); trace((short)0x18000); trace(1 < 2);
	trace(3 == 3 && 0); trace(0 || pid); trace(1 || pid); trace(1 ^^ 1);
	trace(1 ? 5 : "never checked" + nothing);
	trace('a'); trace('ab'); trace(sizeof(int)); trace(sizeof("abc")); trace(sizeof(string)); trace(sizeof(int *)); trace(sizeof(void *));
	trace(2147483648); trace(0x80000000); trace(5ULL); trace(18446744073709551615);
	trace(sizeof(NULL)); trace((_Bool)7);
	trace(9223372036854775807 + 1);
}
