/* What: memory of globals, self and this variables is written through pointers; any other memory, and elements, faults. */
struct s { int v[3]; char t[6]; unsigned low:3, high:9; long l; struct { int x; } in[2]; } st, su;
self struct s mine;
this struct s own;
struct s many[int];
struct s *sp;
self int *sq;
int c[4], (*row)[4];
char *text, *copy;
int *p;
BEGIN
{
	p = c; *p = 7; p[1] = 8; *(p + 2) = 9; p += 3; *p -= 10;
	printf("%d %d %d %d\n", c[0], c[1], c[2], c[3]);
	row = (int (*)[4])c; (*row)[2] = 5; row[0][3]++;
	*(short *)c = 0x7fff; ((char *)c)[4] = 6; /* as other types */
	printf("%x %d %d %d\n", c[0], c[1], c[2], c[3]);
	++*p--; (*p)++; printf("%d %d\n", c[3], c[2]);
}
BEGIN
{
	su.in[1].x = 7; su.l = 12345678901; su.t[0] = 'x';
	sp = (struct s *)&st.v; *sp = su; sp->high = 300; sp->high += 5; sp->low = 9; /* whole, and its bit-fields */
	printf("%d %d %s %d %d\n", st.in[1].x, st.l, stringof(st.t), st.high, st.low);
	sp = (struct s *)alloca(sizeof (struct s)); *sp = st; sp->in[1].x++; su = *sp;
	printf("%d %d\n", su.in[1].x, st.in[1].x);
	*sp = 0; printf("%d %d\n", sp->l, su.l);
	text = &st.t[0]; copy = (char *)alloca(6); copy[0] = 'h'; copy[1] = 'i';
	bcopy(copy, text, 6); printf("%s\n", stringof(st.t));
}
BEGIN
{
	this->own.v[2] = 3; this->p = &this->own.v[0]; this->p[2] *= 5; *++this->p = 8;
	self->mine.v[0] = 1; self->sq = &self->mine.v[1]; *self->sq = 4; self->sq[1] += 9;
	printf("%d %d %d %d\n", this->own.v[1], this->own.v[2], self->mine.v[1], self->mine.v[2]);
	many[3].v[1] = 4; p = &many[3].v[1]; printf("%d\n", *p);
}
ERROR { printf("%d: fault %d\n", arg1, arg4); }
BEGIN { p = &many[3].v[1]; *p = 1; }
BEGIN { p = (int *)16; *p = 1; }
BEGIN { p = &c[0]; p[-5000] = 1; }
BEGIN { p = &c[3]; p[5000] = 1; }
BEGIN { p = (int *)curthread; *p = 1; }
BEGIN { p = &self->mine.v[0]; *(p - 1) = 1; } /* what stands before the thread's variables */
BEGIN { p = &self->mine.v[0]; p[64] = 1; }
BEGIN { self->mine = 0; this->q = &self->mine.v[0]; *this->q = 2; printf("%d %d\n", self->mine.v[0], many[3].v[1]); exit(0); }
