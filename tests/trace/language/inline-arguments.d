/* What: an inline's argument that changes something is evaluated once, from the left to the right; xlate's, too; one that
 * is not needed is not evaluated, however often the value has it. */
struct pair { int a, b; };
struct pair v[4], one, *p;
char *bytes;
inline int twice[int x] = x + x;
inline int none[int x] = 7;
inline int either[int c, int x] = c > 5 ? c : x;
inline string both[string s] = strjoin(s, s);
inline int total[struct pair x] = x.a + x.b;
inline struct pair at[int n] = v[n];
inline int same[int x] = x - x;
inline int if_set[int c, int x] = c ? x + x : -1;
inline int nearest[int x, int y] = x > 10 && x < 20 ? x : y < 5 || y > 9 ? y + y : 0;
inline int late[int x] = (bcopy("\003", bytes, 1), x + x);
inline int add[int x] = (i += x);
inline int around[int x] = x + 100 * add[1] + 1000 * x;
inline int nothing = *(int *)(uintptr_t)(v[1].a + v[2].b + v[1].b + v[2].a - v[1].a - v[2].b - v[1].b - v[2].a);
translator struct pair < struct pair *from > { a = from->a; b = from->a + from->b + from->b; };
inline struct pair seen[struct pair *x] = xlate <struct pair> (x);

BEGIN
{
	i = 3;
	printf("%d %d ", twice[i++], i);
	printf("%d %d ", twice[twice[i++]], i);
	printf("%d %d ", none[i++], i);
	printf("%d %d %d\n", either[i++, i], either[i, i += 2], i);
	printf("%s %s %d ", both[lltostr(i--)], both[s = "a"], i);
	printf("%d %d\n", same[rand()], 0 ? twice[i++] : i);
}
BEGIN
/twice[i++] == 16 && i == 9/
{
	v[1].a = 1;
	v[2].a = 2;
	v[2].b = 20;
	i = 1;
	printf("%d %d %d ", total[v[++i]], at[i--].b, i);
	one = at[++i];
	printf("%d %d\n", one.b, i);
	p = v;
	printf("%d %d ", xlate <struct pair *> (++p)->b, p - v);
	printf("%d %d ", seen[++p].b, p - v);
	one = seen[p--];
	printf("%d %d %d\n", one.a, one.b, p - v);
	@[twice[i++]] = sum(twice[i++]);
	printa("%d %@d\n", @);
	v[2].a = 12;
	printf("%d %d %d ", if_set[0, nothing], nearest[v[2].a * (v[2].a - v[1].a) / (v[1].a + 10), nothing],
	    nearest[v[2].a * v[2].a - v[1].a + v[2].a - v[1].a, v[1].a + v[2].a * v[2].a + v[2].a]);
	self->x = 1;
	printf("%d\n", if_set[v[1].a + v[2].a + v[1].b + v[2].b, v[2].a * (v[2].a - v[1].a) - self->x]);
}
BEGIN
/if_set[v[1].a - v[1].a + v[2].a - v[2].a, nothing] == -1/
{
	printf("%d\n", if_set[self->x++, v[2].a + v[2].a + v[2].a]);
}
BEGIN
{
	bytes = (char *)alloca(8);
	bytes[0] = 1;
	printf("%d ", late[*bytes]);
	bytes[0] = 1;
	printf("%d ", late[*bytes + v[3].a + v[3].b + v[3].a + v[3].b]);
	i = 1;
	printf("%d ", around[i]);
	i = 1;
	printf("%d ", around[i + v[3].a + v[3].b + v[3].a + v[3].b]);
	printf("%d\n", twice[1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9]);
	exit(0);
}
