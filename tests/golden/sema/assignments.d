int i; unsigned char c; int *p; string s; uint64_t u; struct pair { int a, b : 4; } x, y; char t[4]; char *q;
int m[int]; self int n; self string o[string];
BEGIN
{
	i = 1; i += 2; i -= 3; i *= 4; i /= 5; i %= 6; i <<= 7; i >>= 8; i &= 9; i ^= 10; i |= 11;
	c += 300; c = -1; u >>= 1; u /= i;
	p = 0; p += 2; p -= 1; p++; --p; i = p - p; u = (uint64_t)p; p = NULL;
	i++; ++i; i--; --i; c++; x.b++; x.a += x.b; m[1]++; m[2] += 3; self->n--; this->l++; undeclared += 2;
	s = "text"; s = t; s = q; s = NULL; s = 0; self->o["k"] = s; self->o["k"] = 0;
	x = y; x.b = 20; t[1] = 'a'; i = c = 7; i = (c, 3);
}
