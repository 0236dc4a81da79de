/* Arithmetic has 64 bits; an unsigned int is cut to 32 where it is widened, compared, tested, made a key or an index. */
unsigned int a, b; int i; uint64_t w; int64_t m[int]; char c[10]; _Bool flag; char *p;
BEGIN
{
	trace(-1u == 4294967295); trace(a - b == 4294967295); trace(i == a); trace(i < 5u); trace(a - b < 5); trace(i < 5);
	w = a - b; w += a - b; w = a + (b + 1); w = (uint64_t)(a - b); w = a; trace(a - b + 1L); trace(i - 1 + 1L); trace(a - b);
	m[a - b] = 1; trace(c[a - b]); trace(p[a - b]); trace(*(p + (a - b))); trace(pid ? a - b : 1L); trace(pid ? a - b : 1);
	flag = a + b; flag += a; trace(!(a + b)); trace(a + b || a); trace(strjoin("", lltostr(a - b)));
	@[a - b] = sum(a - b); @q = quantize(a - b, a - b); a += b; a = a + b; trace((a + b) >> 1); trace(1L << (a + b));
}
BEGIN /a - b/ { }
