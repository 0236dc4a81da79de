# What: %s prints the string that a pointer of a process points to, if its type says that it is one: arguments, members, symbols.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >text.c <<'C'
struct person { const char *name; struct person *next; unsigned char *bytes; int *number; };
char *greeting = "good morning";
__attribute__((noinline)) int greet(struct person *p, const char *text, char **list)
{
	__asm__ volatile("" : : "r"(p), "r"(text), "r"(list) : "memory");
	return 1;
}
int main(void)
{
	struct person b = { "bob", 0, 0, 0 }, a = { "alice", &b, (unsigned char *)"bytes", 0 };
	return greet(&a, "hello \x01", &greeting) != 1;
}
C
gcc -O1 -g -o text text.c || fail "cannot compile"
must_trace -n 'pid$target:a.out:greet:entry { printf("%s|%s|%s|%5s|%S|%s\n", args[0]->name, args[0]->next->name, args[0]->bytes, *args[2], args[1], ``greeting); }' -c ./text
same "$(cat out)" 'alice|bob|bytes|good morning|hello \001|good morning' "texts"
# A null pointer is a fault, as copyinstr() of it.
trace -n 'pid$target:a.out:greet:entry { printf("%s\n", args[0]->next->bytes); }' -c ./text
contains 'invalid address (0x0)' err
for wrong in 'args[0]->number' 'args[0]' 'args[2]'; do
	trace -x errtags -n "pid\$target:a.out:greet:entry { printf(\"%s\", $wrong); }" -c ./text
	same "$status" 1 "status of $wrong"
	contains '\[D_PRINTF_ARG_TYPE\].*use copyinstr()' err
done
