struct a { int x; } a; struct b { int x; } b; string s; int i; int *ip; char **cpp;
BEGIN
{
	i = "x"; s = 5; a = b; ip = cpp; ip = 3; i = ip; trace(a == b); trace(s == 3); trace(ip == cpp);
	trace(ip + ip); trace("a" + "b"); trace(1 - ip); trace(pid ? "x" : 3); trace(pid ? ip : cpp); trace(ip[s]);
	trace(i == ip); i -= ip; trace(pid ? a : 1);
}
