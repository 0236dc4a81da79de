/* What: float and double in memory: every conversion, trace() as integers of their size, print(); nothing computes with them. */
struct reals { float f; double d; };
struct reals v;
BEGIN
{
	this->words = (unsigned long *)alloca(16);
	this->words[0] = 0x3fc00000;		/* 1.5f */
	this->words[1] = 0xc0091eb851eb851f;	/* -3.14 */
	this->p = (struct reals *)this->words;
	printf("[%e|%E|%f|%g|%G]\n", this->p->f, this->p->f, this->p->f, this->p->f, this->p->f);
	printf("[%e|%E|%f|%g|%G]\n", this->p->d, this->p->d, this->p->d, this->p->d, this->p->d);
	printf("[%+12.3e|%-12.2E|%012.4f|% g|%#G|%*.*f|%.0f]\n", this->p->f, this->p->f, this->p->d, this->p->f, this->p->f, 9, 1, this->p->d, this->p->d);
	trace(this->p->f); printf(" "); trace(this->p->d);
	printf("\n");
	print(*this->p);
	v = *this->p;
	printf("[%g|%g]\n", v.f, v.d);
	exit(0);
}
