#!/usr/sbin/dtrace -s
#pragma D option quiet
/* a comment */
BEGIN
{
	x = 1 + 2 * 3;
	printf("hello %d\n", x)
}

syscall::read:entry, syscall::write:entry,
io:::start
/pid == $target && execname != "x" / 2/
{
	self->ts = timestamp;
	@a[execname, pid] = quantize(arg0);
	@ = count();
}
tick-1sec { exit(0); }
pid$target::malloc*:return /self->ts/ {}
END { if (x > 1) y = 2; else { z = 3; w = 4 } trace(self->a[1, 2].b->c++); }
