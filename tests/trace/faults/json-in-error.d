/* What: json(), whose calls are the deepest of all, in an ERROR clause, where fewer frames are left. */
#pragma D option quiet

BEGIN
{
	this->n = *(int *)0;
}

ERROR
{
	printf("%s %s %s\n", json("{\"a\":[[5,{\"b\":\"x\"}],7]}", "a[0][1].b"),
	       json("[1,2]", "[1]"), json("[[],3]", "[1]"));
}

BEGIN
{
	printf("%s %d\n", json("[[\"in\"]]", "[0][0]"), json("[,1]", "[1]") == NULL);
	exit(0);
}
