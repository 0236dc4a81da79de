/* What: bcopy() of a size known at run time to variables and through pointers; what does not fit is a fault. */
struct parts { char a[8]; int n; char b[8]; };
struct parts v, w[2], *p, e[int];
self struct parts s;
this struct parts t;
char c[8], *q;
int i, n;

BEGIN
{
	this->from = (char *)alloca(64);
	bcopy((char *)"abcdefghijklmnopqrstuvwx", this->from, 24);
	n = 3;
	i = 2;
	p = &w[1];
	bcopy(this->from, p->b, n);
	bcopy(this->from + 1, &p->a[i], n - 1);
	bcopy(this->from + 4, &c[i], n);
	bcopy(this->from + 7, &c[i + 3], 3);
	p->a[0] = p->a[1] = c[0] = c[1] = '.';
	printf("%s %s %s\n", stringof(p->b), stringof(p->a), stringof(c));
	p = (struct parts *)&self->s.a;
	bcopy(this->from, p->b, n);
	p = (struct parts *)&this->t.a;
	bcopy(this->from, p->b, n + 1);
	bcopy(this->from, e[1].b, n + 2);
	bcopy(&v.a, this->from, 4 * n);
	printf("%s %s %s %s\n", stringof(self->s.b), stringof(this->t.b), stringof(e[1].b), stringof(this->from + 12));
	p = (struct parts *)&v.a;
	n = sizeof(struct parts);
	bcopy(&this->t.a, p, n);
	printf("%s\n", stringof(v.b));
	q = c;
	n = 7;
}
BEGIN { bcopy(alloca(8), q + 2, n); }
BEGIN { bcopy(alloca(8), &c[i], n); }
BEGIN { bcopy(alloca(8), q - 1, n); }
BEGIN { bcopy(alloca(32), p->b, n + 2); }
BEGIN { bcopy(alloca(32), e[1].b, n + 2); }
BEGIN { bcopy(alloca(8), q, -n); }
BEGIN { bcopy(alloca(8), (char *)&e[1].n, n); }
BEGIN { bcopy(alloca(8), curthread, n); }
BEGIN { bcopy(alloca(8), q, n); printf("fits\n"); exit(0); }
ERROR { printf("enabling %d: fault %d, %d\n", arg1, arg4, arg5 != 0); }
