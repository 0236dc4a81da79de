BEGIN
{
	/* decimal: int, long, (unsigned long: the value has no signed type) */
	trace(0); trace(2147483647); trace(2147483648); trace(9223372036854775807); trace(9223372036854775808);
	/* octal and hexadecimal: unsigned ones too */
	trace(0x7fffffff); trace(0x80000000); trace(0xffffffff); trace(0x100000000); trace(0x8000000000000000);
	trace(017777777777); trace(020000000000); trace(01777777777777777777777);
	/* suffixes */
	trace(1u); trace(4294967295u); trace(4294967296u); trace(1l); trace(0x8000000000000000l);
	trace(1ul); trace(1UL); trace(1ll); trace(0xffffffffffffffffll); trace(1ull); trace(1uLL); trace(1lu);
	/* characters: int, the first byte is the most significant */
	trace('a'); trace('ab'); trace('abcdefgh'); trace('\377'); trace('\xff\xfe'); trace('\0');
	/* strings */
	trace(sizeof("")); trace(sizeof("a\0b")); trace("a" == "b");
}
