/* What: strings work at strsize 4096.  Options: -x strsize=4096.  Needs: uprobe.  Trigger: calls 1. */
BEGIN
{
	s = "0123456789abcdef";
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	s = strjoin(s, s);
	printf("%d %s %d\n", strlen(s), substr(s, 2040, 8), index(s, "f0"));
	exit(0);
}
