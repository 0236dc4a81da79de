/* What: a string is truncated to strsize wherever it comes from.  Options: -x strsize=4. */

BEGIN
{
	trace("abcdefgh");
	printf(" %s [%6s] %s\n", "ijklmnop", "execname", strjoin("qrs", "tuv"));
	exit(0);
}
