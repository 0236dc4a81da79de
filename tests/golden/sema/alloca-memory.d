struct pt { int x, y; }; 
BEGIN
{
	this->p = (struct pt *)alloca(sizeof(struct pt)); this->p->x = 5; this->p[0].y++; *this->p = *this->p;
	this->b = (char *)copyin(arg0, 10); this->b[9] = 0; bcopy((void *)arg0, this->p, 8);
	copyinto(arg0, 4, this->p); trace(this->p->x);
}
