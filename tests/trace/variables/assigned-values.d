/* What: a target is computed once though its value is used; alloca() in a key has room of its own. */
string a[int];
self string s;
BEGIN
{
	i = 0;
	printf("%s ", a[i++] = "one");
	printf("%s %d %s ", a[i++] = self->s = "two", i, self->s);
	printf("%s %s\n", a[0], a[1]);
	x[*(int *)alloca(4)] = 1;
	y[*(int *)alloca(4)] = 2;
	x[*(int *)alloca(4)] = 0;
	y[*(int *)alloca(4)] = 3;
	printf("%s %d %d\n", strjoin("a", "b"), x[0], y[0]);
	exit(0);
}
