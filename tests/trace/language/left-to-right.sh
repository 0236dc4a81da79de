# What: op= and the arguments of subroutines are evaluated from the left to the right where that can be seen.
. "$LIB"
must_trace -n 'BEGIN { x = 5; x += x++; i = 4; i += (i = 10); this->y = 3; this->y -= this->y--; a[1] = 5; a[1] += a[1]++;
	z = 1; z += 2; printf("%d %d %d %d %d\n", x, i, this->y, a[1], z); exit(0); }'
same "$(cat out)" "10 14 0 10 3" "op="
must_trace -n 'BEGIN { s = alloca(16); d = alloca(16); bcopy("abcdefgh", s, 9); n = 1; bcopy((char *)s + n++, (char *)d + n++, n++);
	printf("%s %d ", stringof((char *)d + 2), n); n = 0; printf("%s ", inet_ntop(n++ + 2, (void *)((char *)s + n++)));
	n = 1; printf("%s %s\n", substr("abcdefgh", n++, n++), strjoin(lltostr(n++), lltostr(n++))); exit(0); }'
same "$(cat out)" "bcd 4 98.99.100.101 bc 34" "arguments"
