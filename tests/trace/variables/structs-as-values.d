/* What: structs that ?:, the comma and = give: their members, copies, keys, records; each operand runs once. */
struct s { int v[4]; char t[4]; } a, b, c;
self struct s f;
this struct s h;
int m[struct s], i, *p;
struct s x[int], *sp;
BEGIN
{
	b.v[2] = 7; b.v[1] = 5; b.t[0] = 'q'; a.v[1] = 3;
	c = !pid ? a : b; printf("%d %d %s %d\n", c.v[2], (!pid ? a : b).v[1], (!pid ? a : b).t, *(pid ? a : b).v);
	c = (i++, a); printf("%d %d %d\n", c.v[1], (i++, b).v[2], i);
	m[pid ? a : b] = 1; m[(1, b)] = 3; printf("%d %d\n", m[a], m[b]);
	@[pid ? b : a] = count(); tracemem((pid ? b : a).v, 12);
	printf("%d\n", (pid ? x[77] : a).v[1] + (pid ? self->f : a).v[1]); /* these were never set */
	c = !pid ? a : *(struct s *)curthread; printf("%d\n", c.v[0] == *(int *)curthread);
}
BEGIN
{
	i = 0; c = x[i++] = b; printf("%d %d %d\n", c.v[2], x[0].v[1], i);
	printf("%d %d\n", (a = b).v[2], a.v[1]); m[a = c] = 2; printf("%d\n", m[b]);
	a = c = self->f = this->h = b; printf("%d %d %d %d\n", a.v[2], c.v[2], self->f.v[2], this->h.v[2]);
	x[5] = x[4] = x[3] = b; printf("%d %d\n", x[5].v[1], x[4].v[2]);
	sp = (struct s *)alloca(sizeof(struct s)); a = *sp = b; printf("%d %d\n", sp->v[2], a.v[1]);
	c = *sp = 0; c.v[0]++; printf("%d %d %d\n", sp->v[2], c.v[1], c.v[0]);
	c = self->f = 0; printf("%d\n", c.v[2]);
	c = pid ? (a = b) : (x[2] = a); printf("%d %d\n", c.v[1], x[2].v[1]);
	(i++, a); i++, b; a = b, i++; stringof((a = b).t), i++; printf("%d %s\n", i, (a = b).t);
	p = &(pid ? a : b).v[1]; *p = 9; printf("%d %d\n", a.v[1], b.v[1]);
	exit(0);
}
