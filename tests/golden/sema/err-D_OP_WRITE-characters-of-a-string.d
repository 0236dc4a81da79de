BEGIN
{
	x = "abc"; x[0] = 'b'; *x = 'c';
	self->s = "abc"; self->s[2]++;
	this->a = (char *)alloca(4); this->a[0] = 'b'; /* memory of one's own may */
}
