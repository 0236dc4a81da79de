/* What: byte order, device numbers, locks, random numbers, copies in scratch memory. */
BEGIN
{
	printf("16 bits %x %x\n", htons(0x1234), ntohs(0xabcd1234));
	printf("32 bits %x %x\n", htonl(0x12345678), ntohl(0x78563412));
	printf("64 bits %x %x\n", htonll(0x123456789abcdef0), ntohll(0xf0debc9a78563412));
	printf("device %d %d\n", getmajor(8 << 20 | 17), getminor(8 << 20 | 17));
	printf("random %d %d\n", rand() >= 0, rand() != rand() || rand() != rand());
	printf("progenyof %d %d\n", progenyof(pid), progenyof(1));
}
BEGIN
{
	lock = (uint32_t *)alloca(8);
	*lock = 0x200;
	printf("readers %d%d%d", rw_read_held((rwlock_t *)lock), rw_write_held((rwlock_t *)lock), rw_iswriter((rwlock_t *)lock));
	*lock = 0xff;
	printf(" a writer %d%d%d", rw_read_held((rwlock_t *)lock), rw_write_held((rwlock_t *)lock), rw_iswriter((rwlock_t *)lock));
	*lock = 0x500;
	printf(" one waits %d%d%d\n", rw_read_held((rwlock_t *)lock), rw_write_held((rwlock_t *)lock), rw_iswriter((rwlock_t *)lock));
	m = (uintptr_t *)alloca(32);
	*m = (uintptr_t)curthread | 1;
	printf("mutex %d %d %s", mutex_owned((struct mutex *)m), mutex_owner((struct mutex *)m) == curthread,
		mutex_owner((struct mutex *)m)->comm);
	*m = 0;
	printf(" free %d %d\n", mutex_owned((struct mutex *)m), mutex_owner((struct mutex *)m) == NULL);
	printf("types %d %d %d %d\n", mutex_type_adaptive((struct mutex *)m), mutex_type_spin((struct mutex *)m),
		mutex_type_adaptive(&curthread->sighand->siglock), mutex_type_spin(&curthread->sighand->siglock));
}
BEGIN
{
	from = (char *)alloca(8);
	to = (char *)alloca(8);
	printf("zeroed %d\n", *(long *)from);
	from[0] = 'x';
	from[1] = 'y';
	bcopy(from, to, 2);
	bcopy(curthread->comm, to + 2, 3);
	printf("bcopy %s", stringof(to));
	this->n = 1;
	bcopy(from + 1, to, this->n);
	printf(" %s\n", stringof(to));
	printf("getf %d %d\n", getf(-1) == NULL, getf(1) != NULL);
	exit(0);
}
