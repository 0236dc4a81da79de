/* What: types of declared variables, structs, bit-fields, strings and NULL, keys, deletion, this and its life. */
struct n { struct n *next; int v; struct { int in; } s; union { int u; char c[4]; }; int a[3]; };
struct n x; struct n y; struct n z[2]; struct n t[int];
struct bf { int a:3; unsigned b:5; int :8; unsigned long long c:40; } f;
enum en { EA, EB = 5, EC, ED = -1, };
struct be { enum en e:4; char c; } w;
int arr[3], nothing[int]; string none; int plain;
inline int K = 3; inline string pick[string s, int b] = b > K ? s : "small"; inline char cut = 300; int sized[K * 2];
self string gone;

BEGIN
{
	x.v = 5; x.s.in = 6; x.u = 0x41; x.a[1] = 9; y = x; z[1] = x; t[3] = x; self->x = x; this->x = x; this->x.v++;
	printf("%d %d %c %d %d %d %d %d %d\n", y.v, y.s.in, y.c[0], z[1].v, z[0].v, t[3].a[1], self->x.v, this->x.v, x.v);
	f.a = 7; f.b = 33; f.c = 1 << 39; w.e = EB; w.c = 5;
	printf("%d %d %x %d %d %d\n", f.a, f.b, f.c, sizeof(struct bf), w.e, sizeof(w));
	f.b++; f.a -= 2; printf("%d %d %d\n", f.b, f.a, EC + ED);
	i = 2; arr[i] = 7; printf("%d %d %d %d\n", arr[2], 2[arr], arr[0], *arr);
	printf("%s %s %d %d %d %d\n", pick["big", 4], pick["big", 2], cut, sizeof(cut), sizeof(sized), sizeof("abc"));
}
/* Never assigned: zero and NULL, which is less than any string and no empty one. */
BEGIN
{
	printf("%d %d %d %d ", plain, nothing[1], x.next == NULL, self->gone == NULL);
	printf("%d %d %d %d %d %d\n", none == "", none < "", none < "a", none == none, none == NULL, "" == NULL);
	printf("%d %d %d %d %d %d\n", "a" < "b", "b" <= "a", "a" > "b", "b" >= "b", "a" != "b", "abc" == "abc");
	p = "abcd"; q = p; p = "z"; printf("%s %s %c %c %d %s\n", p, q, q[1], q[2], substr(q, 1) == "bcd", substr(q, 3));
	this->c = (char *)curthread->comm; this->d = (char *)curthread->comm; /* two char * are pointers */
	printf("%d %d %d %d %d\n", this->c == this->d, this->c == execname, curthread->comm == execname, strlen(this->c) == strlen(execname), (string)this->c == execname);
	printf("%s %d %d\n", pid ? "text" : stringof(this->c), sizeof(none), sizeof(curthread->comm));
}
/* Keys: integers of any width, texts up to their NUL, structs, many. */
BEGIN
{
	k[(char)1, "x"] = 1; m[-1] = 3; b["ab\0c"] = 5; s[x] = 7;
	printf("%d %d %d %d %d %d ", k[1L, "x"], k[257, "x"], m[(uint64_t)-1], m[0xffffffff], b["ab"], s[y]);
	x.v++; printf("%d ", s[x]);
	c[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32] = 7;
	self->c[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32] = 8;
	printf("%d ", c[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]);
	printf("%d\n", self->c[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32]);
	self->x = 0; t[3] = 0; texts["a"] = "b"; texts["a"] = 0; self->gone = "a"; self->gone = 0;
	printf("%d %d %d %d\n", self->x.v, t[3].v, texts["a"] == NULL, self->gone == NULL);
	@n = sum(1); n = 2; self->n = 3; this->n = 4; printf("%d %d %d", n, self->n, this->n); printa(" %@d\n", @n); /* four name spaces */
	whole = *curpsinfo; printf("%d %d\n", whole.pr_pid == pid, whole.pr_ppid == ppid); /* a translated struct */
	this->life = 5; this->text = "abc";
}
BEGIN { printf("%d %s\n", this->life, this->text); }
tick-1 { printf("%d %d\n", this->life, this->text == NULL); exit(0); }
