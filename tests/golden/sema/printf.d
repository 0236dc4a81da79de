struct s { char name[16]; unsigned char raw[4]; double d; long double ld; };
struct s v;
BEGIN
{
	printf("plain\n"); printf("%d %i %u %o %x %X\n", pid, 1, uid, tid, timestamp, arg0);
	printf("%s %S %-10s %.5s\n", execname, "q", v.name, v.raw); printf("%c %C\n", 'a', pid);
	printf("%p %p %?x\n", (void *)arg0, arg1, arg2); printf("%a %a %a\n", arg0, (int *)arg1, sym(arg0));
	printf("%A\n", usym(arg0)); printf("%k\n", stack()); printf("%10k%-3k\n", stack(3), ustack());
	printf("%*d %-*.*s\n", 5, pid, tid, 3, execname); printf("100%%\n"); printf("%Y %T\n", walltimestamp, timestamp);
	printf("%hd %ld %lld %llx\n", (short)1, 5L, timestamp, (int64_t)pid); printf("%f %Lf\n", v.d, v.ld);
	printf("%P\n", (uint16_t)80);
}
