/* What: a text in an array of char ends with the array at the latest.  Needs: uprobe.  Trigger: calls 1.  Executors: kernel process. */
struct pair { char a[8]; char b[8]; char c[1]; char d[7]; };
translator struct pair < struct task_struct *t > { a = "12345678901"; b = "zz"; c = "c"; d = "dd"; };
struct pair p;

BEGIN
{
	p = *(xlate <struct pair *>(curthread));
	this->q = (struct pair *)alloca(24);
	*(uint64_t *)this->q = 0x6161616161616161;
	((uint64_t *)this->q)[1] = 0x62;
	printf("%s %s %s\n", stringof(p.a), stringof(p.b), stringof(p.c));
	x = stringof(this->q->a);
	printf("%s %s %s\n", x, stringof(this->q->a), this->q->b);
}

pid$target::with_text:entry
{
	printf("%s %s\n", stringof(((userland struct pair *)arg0)->a), copyinstr(arg0));
	exit(0);
}
