struct big { int x[10]; };
struct big b;
BEGIN
{
	trace(1); trace("s"); trace(b); trace(b.x); tracemem(arg0, 16); tracemem((char *)arg0, 64, pid);
	stack(); stack(5); ustack(); ustack(5); ustack(5, 0); jstack(); jstack(3, 500); sym(arg0); func(&`max_pfn);
	mod(arg0); usym(ucaller); ufunc(arg1); umod(arg1); uaddr(arg1); exit(pid);
}
