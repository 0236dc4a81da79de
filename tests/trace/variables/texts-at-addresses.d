/* What: a string in a struct, or at an address, is assigned and read in all kinds of memory: variables, alloca memory. */
struct named { int n; string t; };
struct outer { struct named in[2]; string last; };
struct named v[3], *p, e[int];
self struct named *p;
this struct named *q;
this struct outer o, *r;
string *s;
string rows[2][3];
string none;
int i;

BEGIN
{
	p = v;
	p->t = "zero";
	(p + 1)->t = strjoin(p->t, "+1");
	i = 1;
	p[++i].t = p[0].t = "same";
	printf("%s %s %s %d\n", v[0].t, v[1].t, v[2].t, i);
	self->p = &v[1];
	this->q = v;
	self->p->t = execname == "" ? "" : "self";
	this->q->t = self->p->t;
	*(string *)&v[2].t = "cast";
	printf("%s %s %s %d\n", v[0].t, v[1].t, v[2].t, p->t == self->p->t);
}
BEGIN
/(p->t = "predicate") == "predicate"/
{
	s = &p->t;
	printf("%s %d\n", *s, sizeof(*s));
	*s = NULL;
	printf("[%s] %d ", *s, *s == "");
	*s = none;
	printf("[%s] %d\n", *s = none, *s == NULL);
}
BEGIN
{
	this->r = alloca(sizeof(struct outer));
	this->r->in[i - 1].t = "inner";
	this->r->in[0].n = 7;
	this->r->last = "last";
	this->o = *this->r;
	this->r->in[0] = this->r->in[1];
	printf("%s %d %s [%s] %s\n", this->o.in[1].t, this->o.in[0].n, this->o.last, this->o.in[0].t,
	       this->r->in[0].t);
	this->o.in[i - 2].t = "indexed";
	rows[i - 1][i] = "row";
	rows[0][2] = "other";
	s = &rows[1][1];
	s[1] = strjoin(*s, rows[1][2]);
	printf("%s %s %s\n", this->o.in[0].t, rows[1][2], rows[0][2]);
}
BEGIN
{
	/* what an earlier, longer text left makes no difference */
	v[0].n = v[1].n = 0;
	p->t = "a long text";
	p->t = "ab";
	v[1].t = strjoin("a", "b");
	e[1].t = "ab";
	@structs[v[0]] = count();
	@structs[v[1]] = count();
	@structs[e[1]] = count();
	printa("%@d\n", @structs);
	exit(0);
}
