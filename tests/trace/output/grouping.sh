# What: %'d groups digits as the user's locale does; all other output is that of the C locale.
. "$LIB"
localedef -c -i en_US -f UTF-8 ./en_US.UTF-8 >localedef.out 2>&1 || true
[ -s en_US.UTF-8/LC_NUMERIC ] || skip "localedef makes no en_US (package locales)"
cat >group.d <<'END'
BEGIN
{
	printf("%d %'d %'12u %'d|", 1234567, 1234567, 1234567, -12);
	printf("%'d\n", 123);
	@ = sum(7654321);
	printa("%'@d %@d\n", @);
	exit(0);
}
END
LOCPATH=$PWD LC_ALL=en_US.UTF-8 must_trace -s group.d
same "$(head -2 out)" "1234567 1,234,567    1,234,567 -12|123
7,654,321 7654321" "in en_US"
LC_ALL=C must_trace -s group.d
same "$(head -2 out)" "1234567 1234567      1234567 -12|123
7654321 7654321" "in C"
