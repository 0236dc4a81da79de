/* What: tracemem() shows size bytes, or what the third argument says; negative is all. */
BEGIN
{
	this->p = (char *)alloca(20);
	this->p[0] = 'H'; this->p[1] = 'i'; this->p[16] = 1; this->p[19] = 127;
	tracemem(this->p, 20);
	tracemem(this->p, 20, 3);
	tracemem(this->p, 20, -1);
	tracemem(this->p, 4, 100);
	tracemem(this->p, 20, (unsigned char)-1);
	tracemem(this->p, 20, 0);
	printf("|\n");
	exit(0);
}
