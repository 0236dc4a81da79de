/* What: print() of values of every kind, with the names of their types.  Needs: btf. */
enum colour { RED, GREEN };
typedef int number_t;
struct inner { short s; char c; };
struct pt {
	number_t x; char name[6]; struct pt *next; unsigned b1:3; int b2:5; enum colour c;
	union { int u; unsigned char v[4]; } w; struct inner in[2]; int arr[3];
	struct { int unnamed; };
};
struct pt g;
BEGIN
{
	print(7); print(0); print("foo"); print((char)65); print((char)0); print((char)7);
	print((unsigned char)65); print((short)-1); print(-1LL); print((enum colour)1);
	print((enum colour)7); print((number_t)3); print((int *)8); print((void *)0);
	g.x = 3; g.b1 = 5; g.b2 = -3; g.c = 1; g.in[1].s = 4; g.in[0].c = 'q'; g.arr[2] = 9;
	g.w.u = 0x41424344; g.unnamed = 2;
	print(g); print(g.b2); print(g.in); print(g.arr);
	exit(0);
}
