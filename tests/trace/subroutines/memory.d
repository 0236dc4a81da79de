/* What: alloca() and bcopy() to the byte: alignment, zeros, each clause begins anew, the last byte that fits, sizes of nothing and of too much.  Options: -x scratchsize=4k. */
BEGIN { three = 3; all = 4096; half = 2048; more = half + 1; none = 0; below = -1; }
BEGIN { printf("aligned %d %d %d %d\n", (uintptr_t)alloca(1) & 7, (uintptr_t)alloca(three) & 7, (uintptr_t)alloca(3) & 7, (uintptr_t)alloca(three) & 7); }
BEGIN { p = (char *)alloca(all); p[0] = 1; p[4095] = 2; printf("whole %d %d\n", p[0], p[4095]); }
BEGIN { p = (char *)alloca(all); printf("zeros again %d %d\n", p[0], p[4095]); p[100] = 7; }
BEGIN { p = (char *)alloca(half); q = (char *)alloca(half); printf("two halves %d, apart %d\n", p[100], q - p >= half); }
BEGIN { p = (char *)alloca(half); q = (char *)alloca(more); printf("more than two halves\n"); }
BEGIN { p = (char *)alloca(none); printf("nothing, which is no NULL: %d\n", p != NULL); p = (char *)alloca(0); printf("nor so: %d\n", p != NULL); }
BEGIN
{
	p = (char *)alloca(8);
	p[0] = 'a';
	p[1] = 'b';
	p[2] = 'c';
	bcopy(p, p + 4, three);
	bcopy(p + 4, p + 1, none);
	bcopy(p + 4, p + 2, 0);
	printf("copied %s %s\n", stringof(p), stringof(p + 4));
}
BEGIN { p = (char *)alloca(three); bcopy(curthread->comm, p, three); bcopy(curthread->comm, p, 3); printf("from the kernel %c%c%c\n", p[0], p[1], p[2]); }
BEGIN { bcopy(alloca(16), alloca(8), below); printf("copies of less than nothing\n"); }
BEGIN { bcopy(p, (void *)curthread, 4); printf("written to the kernel\n"); }
/* What is kept for the clause is there in a predicate, in a key and as an argument. */
BEGIN /0 == *(int *)alloca(8) && 0 == strlen(stringof((char *)alloca(8)))/ { @[stringof((char *)alloca(8)), *(int *)alloca(4)] = count(); printa("key [%s] %d %@d\n", @); trunc(@); }
ERROR { printf("fault %d\n", arg4); }
BEGIN { exit(0); }
