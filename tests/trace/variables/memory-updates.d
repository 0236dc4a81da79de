/* What: bit-fields and op= in alloca memory change only their target. */
struct pt { unsigned a:3; int b:5; unsigned long c; short s; int after; };
BEGIN
{
	this->p = (struct pt *)alloca(sizeof (struct pt));
	this->p->after = -1;
	this->p->b = -3; this->p->a = 13;
	printf("%d %d %d\n", this->p->a, this->p->b, this->p->b = 47);
	this->p->b += 2; this->p->a--; this->p->c += 7; this->p->c <<= 2; this->p->s -= 3;
	printf("%d %d %d %d %d\n", this->p->a, this->p->b, this->p->c++, ++this->p->s, this->p->after);
	printf("%d\n", this->p->c);
}
BEGIN { this->i = (int *)1; *this->i += 1; }
ERROR { printf("fault %d at %x\n", arg4, arg5); }
BEGIN { exit(0); }
