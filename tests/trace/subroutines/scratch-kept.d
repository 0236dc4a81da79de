/* What: memory of alloca() stays while a later clause of the firing uses its address, in whatever this variable that is. */
struct held { int n; char *at; };
this struct held held;
BEGIN
{
	this->a = (char *)alloca(4);
	this->b = this->a ? (char *)alloca(4) : NULL;
	this->held.at = (char *)alloca(4);
	this->number = (uint64_t)alloca(4);
	this->copy = this->held.at;
	this->a[0] = 'a';
	this->b[0] = 'b';
	this->held.at[0] = 'c';
	*(char *)this->number = 'd';
}
BEGIN
{
	this->other = (char *)alloca(64);
	bcopy((char *)"................................................................", this->other, 64);
	this->copy[1] = 'C';
}
BEGIN
/this->a[0] == 'a'/
{
	printf("%s %s %s %s\n", stringof(this->a), stringof(this->b), stringof(this->held.at), stringof(this->number));
	exit(0);
}
