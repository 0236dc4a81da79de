/* What: a translated value is assigned member by member: members that the translator leaves out become 0; only used ones are computed, a parameter hides the variable of its name. */
typedef struct in { int x; int y; } in_t;
typedef struct out { int a; long b; string s; int z; } out_t;
translator out_t < in_t *I > { a = I->x; s = "text"; z = *(int *)0; };
translator out_t < int I > { a = I; b = I + 1; };
int I;
out_t o;
BEGIN
{
	I = 99;
	o.a = 5; o.b = 77; o.z = 4;
	this->p = (in_t *)alloca(sizeof (in_t));
	this->p->x = 8;
	printf("%d %s\n", xlate <out_t>(this->p).a, xlate <out_t *>(this->p)->s);
	o = xlate <out_t>((int)6);
	printf("%d %d [%s] %d\n", o.a, o.b, o.s, o.z);
	this->o = xlate <out_t>((int)9);
	printf("%d %d %d\n", this->o.a, this->o.b, this->o.z);
	self->o = xlate <out_t>((int)10);
	printf("%d %d %d\n", self->o.a, self->o.b, self->o.z);
	m[1] = xlate <out_t>((int)11);
	printf("%d %d %d, %d\n", m[1].a, m[1].b, m[1].z, I);
}
BEGIN
{
	this->p = (in_t *)alloca(sizeof (in_t));
	o = xlate <out_t>(this->p); /* all members are used */
	printf("not reached\n");
}
BEGIN { exit(0); }
ERROR { printf("fault %d in statement %d\n", arg4, arg2); }
