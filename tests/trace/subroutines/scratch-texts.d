/* What: a string in memory of alloca() ends with it, whatever follows; sizes of later clauses start again. */
this string s;
int n;

BEGIN
{
	n = 8;
	this->a = (char *)alloca(8);
	this->b = (char *)alloca(8);
	this->c = (char *)alloca(n);
	this->d = (char *)alloca(n);
	bcopy((char *)"aaaaaaaaa", this->a, 8);
	bcopy((char *)"bbbbbbbbb", this->b, 8);
	bcopy((char *)"ccccccccc", this->c, n);
	bcopy((char *)"ddddddddd", this->d, 8);
	printf("%s %s %s %s\n", stringof(this->a), stringof(this->b + 4), stringof(this->c), stringof(this->d));
	this->s = stringof((char *)alloca(0));
	printf("[%s]", this->s);
	n = 3000; /* of 4k */
}
BEGIN { printf(" %d", alloca(n) != 0); }
BEGIN { printf(" %d\n", alloca(n) != 0); n = 1500; }
BEGIN { this->kept = (char *)alloca(n); this->kept[n - 1] = '!'; this->a = (char *)alloca(8); this->a[7] = '.'; }
BEGIN { printf("%d", alloca(n) != alloca(8)); }
BEGIN { this->b = (char *)alloca(n); this->b[n - 1] = '?'; this->c = (char *)alloca(8); this->c[7] = ','; }
BEGIN { printf("%c%c%c%c\n", this->kept[n - 1], this->a[7], this->b[n - 1], this->c[7]); exit(0); }
