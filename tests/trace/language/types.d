/* What: widths and signs of the standard typedefs; branches that constants leave out; sizes that are folded. */
enum hue { RED, GREEN = 7 };
struct tail { int n; char last[1]; };
inline int LENGTH = 3 + sizeof(short) * 2;
int folded[LENGTH], chosen[1 ? 3 : 4], cut[(char)259];
int zero;

BEGIN
{
	/* each typedef: bytes, and 1 where it has a sign */
	printf("%d%d %d%d %d%d %d%d ", sizeof(int8_t), (int8_t)-1 < 0, sizeof(int16_t), (int16_t)-1 < 0,
	       sizeof(int32_t), (int32_t)-1 < 0, sizeof(int64_t), (int64_t)-1 < 0);
	printf("%d%d %d%d %d%d %d%d\n", sizeof(uint8_t), (uint8_t)-1 < 0, sizeof(uint16_t), (uint16_t)-1 < 0,
	       sizeof(uint32_t), (uint32_t)-1 < 0, sizeof(uint64_t), (uint64_t)-1 < (uint64_t)0);
	printf("%d%d %d%d %d%d %d%d %d%d ", sizeof(intptr_t), (intptr_t)-1 < 0, sizeof(uintptr_t), (uintptr_t)-1 < (uintptr_t)0,
	       sizeof(ssize_t), (ssize_t)-1 < 0, sizeof(size_t), (size_t)-1 < (size_t)0, sizeof(ptrdiff_t), (ptrdiff_t)-1 < 0);
	printf("%d%d %d%d %d%d %d%d\n", sizeof(uchar_t), (uchar_t)-1 < 0, sizeof(ushort_t), (ushort_t)-1 < 0,
	       sizeof(uint_t), (uint_t)-1 < 0, sizeof(ulong_t), (ulong_t)-1 < (ulong_t)0);
	printf("%d%d %d%d ", sizeof(longlong_t), (longlong_t)-1 < 0, sizeof(u_longlong_t), (u_longlong_t)-1 < (u_longlong_t)0);
	printf("%d%d %d%d %d %d %d ", sizeof(id_t), (id_t)-1 < 0, sizeof(pid_t), (pid_t)-1 < 0, sizeof(zoneid_t), sizeof(taskid_t), sizeof(projid_t));
	printf("%d %d %d\n", sizeof(signed), sizeof(unsigned), sizeof(_Bool));

	/* the branch that a constant leaves out is not checked; one that is left out at run time does not run */
	printf("%d %d %s %d ", 0 ? unknown + "a" : 4, 1 ? 3 : unknown, 1 ? "a" : 2, zero ? 1 / zero : 5);
	printf("%d %d\n", zero && 1 / zero, 1 || 1 / zero);
	printf("%d %d %d\n", sizeof(folded), sizeof(chosen), sizeof(cut));

	/* a last array of one element may go on, behind a pointer */
	p = (struct tail *)alloca(16); p->last[5] = 9;
	printf("%d %d %d\n", p->last[5], (enum hue)7 == GREEN, (_Bool)256);
	exit(0);
}
