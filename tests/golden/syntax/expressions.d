BEGIN
{
	/* precedence */
	a || b ^^ c && d | e ^ f & g == h < i << j + k * l;
	a = b += c ? d : e ? f : g;
	-x++ - --y, !~*&z;
	a - b - c;
	/* casts and calls */
	(int)x + (struct foo *)y->z;
	(size_t)(x) + (value)(x) + (value)-1 + (size_t)-1;
	(foo_t *)x; (foo_t * x); (a * b); (foo_t **const)x; (foo)x;
	(int (*)(int, char))f; (foo_t *(*)())f;
	(void *)(uintptr_t)copyin(arg0, 8);
	/* names */
	`x + vmlinux`jiffies + LM0`libc.so.1`environ + 9p`v9fs_remove + pid`a`b;
	self->x[1, "two"] = this->string.probe->self;
	@n[1]; @[1, 2] = sum(1); @m[1][2] = count();
	xlate <struct psinfo *>(curthread)->pr_pid;
	offsetof(struct foo, inline) + sizeof(int[3]) + sizeof (x) + sizeof x + sizeof(size_t);
	stringof(x) + stringof x->y;
	a.b.c;
	x <<= 1; x >>= 2; x ^= 3; x %= 4;
	; ; ;
	"tab\t\x41\101\q\"\\" // to the end
}
