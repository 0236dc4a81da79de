self x, *y;
this z[2];
self k[string];
BEGIN
{
	self->x = 1;
	this->z[1] = self->x;
	self->k["a"] = 2;
}
