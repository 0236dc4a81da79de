/*
 * What: self variables that together exceed the kernel's limit for a thread (64 KB), numbers and
 * deletions among them.
 */
#pragma D option quiet

struct large {
	char text[100000];
	int n;
};
self string never;
self struct large mine;
self struct large none;
struct large copy;

BEGIN
{
	self->first = 1;
	self->mine.n = 0;
	self->a = "a";
	self->b = strjoin(self->a, "b");
	self->last = 5;
	self->last++;
	self->last -= 2;
	printf("%d %s %s %d %d\n", self->first, self->a, self->b, self->last, self->never == NULL);
	self->a = 0;
	printf("%d %s\n", self->a == NULL, self->b);
}

BEGIN
{
	self->mine.text[3] = 'x';
	self->mine.n += 6;
	copy = self->mine;
	self->mine = 0;
	printf("%d %d %c\n", self->mine.n, copy.n, copy.text[3]);
	copy = self->none;
	printf("%d %d\n", copy.n, copy.text[3]);
}

BEGIN
{
	printf("[%s]\n", stringof(copy.text));
	exit(0);
}
