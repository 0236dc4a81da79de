char c; unsigned char uc; int i; unsigned u; long l; unsigned long ul; int *p; void *v; string s; char *q; char t[8];
enum color { RED, GREEN = 5 } e;
BEGIN
{
	trace(i < u); trace(i < l); trace(l < ul); trace(c < uc); trace(c == 255); trace(i <= 3u);
	trace(p == 0); trace(0 != p); trace(p == NULL); trace(p == v); trace(p < v); trace(p >= p + 1);
	trace(s == "a"); trace("a" != s); trace(s < q); trace(s == t); trace(q == q); trace(s == NULL); trace(s > "b");
	trace(e == GREEN); trace(e != 3); trace(GREEN == e); trace(e < RED);
	trace(!p); trace(p && i); trace(s == "x" || i ^^ l); trace(i ? p : NULL); trace(i ? s : q); trace(i ? c : ul);
	trace(1 < 2); trace(-1 < 1u); trace(-1 < 1ul); trace(1 ? 2 : undefined_name); trace(0 && i); trace(1 || i); trace(1 && i);
}
