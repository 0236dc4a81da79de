/* What: a string is cut to strsize wherever it comes from.  Trigger: none */
#pragma D option quiet
#pragma D option strsize=4

BEGIN
{
	trace("abcdefgh");
	printf(" %s [%6s] %s\n", "ijklmnop", execname, strjoin("qrs", "tuv"));
	exit(0);
}
