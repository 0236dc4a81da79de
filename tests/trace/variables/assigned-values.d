/* What: a target is computed once though its value is used; alloca() in a key has separate memory. */
struct named { string name; };
struct named n[int], one;
string a[int];
self string s;
BEGIN
{
	i = 0;
	printf("%s ", a[i++] = "one");
	printf("%s %d %s ", a[i++] = self->s = "two", i, self->s);
	printf("%s %s\n", a[0], a[1]);
	printf("%s %d %s ", n[i++].name = "three", i, n[2].name);
	printf("%s.%s%s %c%c ", one.name = "", one.name = NULL, one.name, *(one.name = "xyz"), (one.name = "xyz")[1]);
	printf("%s %c\n", stringof((char *)(one.name = "four") + 1), *(a[5] = "five"));
	x[*(int *)alloca(4)] = 1;
	y[*(int *)alloca(4)] = 2;
	x[*(int *)alloca(4)] = 0;
	y[*(int *)alloca(4)] = 3;
	printf("%s %d %d\n", strjoin("a", "b"), x[0], y[0]);
	exit(0);
}
