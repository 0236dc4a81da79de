/* What: C arrays of D: *(c + i), &c[i] and members by ->, their memory as an argument, faults. */
int c[4];
char text[16];
struct s { int v[3]; char n[8]; struct { int x; } in[2]; } st;
struct s many[int];
self int w[3];
this char z[20];
int *p;
BEGIN
{
	c[2] = 7; *(c + 3) = 9; *c = 1; c[1] = 3; i = 3;
	printf("%d %d %d %d %d\n", *(c + 2), *(c + i), *(i + c), 3[c], i[c]);
	*(c + i) = 11; *(c + i - 1) += 2; (*(c + 1))++;
	printf("%d %d %d\n", c[3], *(c + i - 1), c[1]);
	p = c; printf("%d %d %d\n", p[0], p[i], *(p + 2));
	p = &c[2]; printf("%d %d %d\n", *p, p[-1], p - c);
	printf("%d %d %d\n", c == &c[0], &c[i] > c, &c[0] ? 1 : 0);
	tracemem(c, 16); tracemem(&c[1], 4);
	st.v[1] = 5; printf("%d %d %d\n", *(st.v + 1), *&st.v[1], (&st.v[0])[1]);
	st.in->x = 4; (st.in + 1)->x = 8; p = &st.in[1].x; printf("%d %d %d\n", st.in[0].x, st.in[1].x, *p);
	@[c[2], *(c + 1)] = sum(*(c + 3)); printa("%d %d %@d\n", @);
}
BEGIN
{
	bcopy((char *)"hello", text, 6); i = 3; bcopy((char *)"pyyy", &text[3], 0);
	printf("%s %s %s %s\n", text, stringof(text + 2), substr(text, 1), substr(stringof(text), 3));
	bcopy(c, self->w, 12); printf("%d %d %d\n", self->w[0], self->w[1], self->w[2]);
	bcopy((char *)"clause", this->z, 7); printf("%s\n", stringof(this->z));
	bcopy((char *)"xyz", &st.n[2], i + 1); st.n[0] = 'a'; st.n[1] = 'b'; printf("%s\n", stringof(st.n));
	bcopy((char *)"el", many[3].n, 3); printf("%s %s\n", stringof(many[3].n), stringof(many[4].n));
	printf("%s\n", inet_ntoa((ipaddr_t *)c));
}
BEGIN { i = 4; *(c + i) = 1; }
BEGIN { i = -1; trace(*(c + i)); }
BEGIN { bcopy(p, c, 17); }
BEGIN { i = 13; bcopy(p, &c[1], i); }
BEGIN { i = -1; bcopy(p, c, i); }
BEGIN { p = c + 2; i = 9; bcopy(c, p, i); } /* of a size known only now, and not all there */
ERROR { printf("fault %d %s\n", arg4, arg4 == DTRACEFLT_BADADDR ? "" : lltostr(arg5)); }
BEGIN { p = c; *p = 5; bcopy(p, c + 1, 4); printf("%d %d\n", c[0], c[1]); exit(0); }
