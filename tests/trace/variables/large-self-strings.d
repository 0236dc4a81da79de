/* What: self strings at the largest strsize. */
#pragma D option quiet
#pragma D option strsize=64k
self string never;

BEGIN
{
	self->first = 1;
	self->a = "a";
	self->b = strjoin(self->a, "b");
	self->last = 5;
	self->last++;
	self->last -= 2;
	printf("%d %s %s %d %d\n", self->first, self->a, self->b, self->last, self->never == NULL);
	self->a = 0;
	printf("%d %s\n", self->a == NULL, self->b);
	exit(0);
}
