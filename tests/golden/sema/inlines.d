inline int LIMIT = 10; inline string NAME = "dtrace"; inline int64_t now = timestamp;
inline int twice[int n] = n + n; inline int apply[int a, string s] = a + strlen(s);
inline char tiny = 300; inline int other = LIMIT * 2; inline int half[int n] = twice[n] / 4;
int array[LIMIT];
BEGIN
{
	trace(LIMIT); trace(NAME); trace(now); trace(twice[pid]); trace(twice[3]); trace(apply[1, "four"]);
	trace(tiny); trace(other); trace(half[tid]); array[3] = 1; trace(strjoin(NAME, NAME));
	printf("%d %d", twice[LIMIT], twice[LIMIT]);
}
