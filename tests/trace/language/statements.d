/* What: if and else, predicates that create variables, operators, promotion, division, short circuits. */
this unsigned short u;
this short s;
BEGIN /x++ == 0/ { printf("%d\n", x); }
BEGIN /y == 0/ { printf("%d\n", y++); }
BEGIN /t = strlen("abc")/ { printf("%d\n", t); }
BEGIN /curthread/ { printf("pointers are true\n"); }
BEGIN
{
	if (0) printf("a"); else if (1) printf("b"); else printf("c");
	if (1) if (0) printf("d"); else printf("e"); /* the nearer if */
	if ("a" == "a") { printf("f"); ; x = 1 }
	printf("\n")
}
BEGIN
{
	printf("%d %d %d %d %d ", 2 + 3 * 4, 1 << 2 + 1, 1 < 2 == 1, 1 | 2 ^ 3 & 4, 1 || 0 && 0);
	printf("%d %d %d %d %d\n", 1 ^^ 1 || 1, 0 ? 1 : 1 ? 2 : 3, -1 - -2, !0 + 1, ~0 & 0xf);
	one = 1; two = 2; three = 3; zero = 0;
	printf("%d %d %d %d %d ", two + three * 4, one << two + one, one < two == one, one | two ^ three & 4, one || zero && zero);
	printf("%d %d %d %d %d\n", one ^^ one || one, zero ? 1 : one ? 2 : 3, -one - -two, !zero + one, ~zero & 0xf);
}
BEGIN
{
	a = b = c = 3; a += b -= 1; printf("%d %d %d ", a, b, (one, two, three));
	a <<= 2; printf("%d ", a);
	a >>= 1; a |= 1; a &= 7; a ^= 2; a %= 4; a *= 10; a /= 3; printf("%d\n", a);
	i = 0; zero && i++; one || i++; zero ? i++ : 0; printf("%d ", i);
	zero ^^ i++; one ^^ i++; printf("%d ", i); /* both sides run */
	i = 1; j = i++ + i++ * 10; k = ++i; l = i--; printf("%d %d %d %d\n", j, k, l, i);
}
BEGIN
{
	m7 = -7; m8 = -8; big = 0x7fffffffffffffff; least = (int64_t)1 << 63;
	printf("%d %d %d %d ", m7 / 2, m7 % 3, m8 >> 1, (unsigned)m8 >> 1);
	printf("%d %d ", (uint64_t)m8 / 2 > 0, big + one < 0); /* wraps */
	printf("%d %d\n", least / -one, least % -one);
	this->u = 65535; this->s = 1; /* no promotion to int, but 64-bit sums */
	printf("%d %d %d ", this->u + this->s, sizeof(this->u + this->s), this->u + this->s == 65536);
	printf("%d %d %d %d ", sizeof('a' + 1L), sizeof((char)1 << 1L), -(int)one < 1u, -one < 1L);
	printf("%d %d %d %d\n", (char)300, (short)0x18000, (unsigned char)-1, (uint64_t)(int)0x80000000 >> 32);
	this->p = (char *)-1; printf("%d\n", this->p > (char *)1); /* pointers have no sign */
	g++; self->h++; this->i += 5; n -= 1; e[1]++; self->e["a"] += 3;
	printf("%d %d %d %d %d %d %d\n", g, self->h, this->i, n, e[1], self->e["a"], sizeof(g));
	exit(0);
}
