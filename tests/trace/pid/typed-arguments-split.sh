# What: args[] and variables of a program whose debug information is in .dwo files; the message names the file that is not there.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >split.c <<'C'
struct point { int x, y; };
int total = 5;
__attribute__((noinline)) int where(struct point *p, int n) { return p->x + n; }
int main(void) { struct point p = { 41, 2 }; volatile int s = where(&p, 1); return s == 42 ? 0 : 1; }
C
for version in 4 5; do
	gcc -gdwarf-$version -gsplit-dwarf -O1 -c split.c -o split.o && gcc -o split split.o || skip "this compiler splits no debug information"
	must_trace -n 'pid$target:a.out:where:entry { printf("%d %d\n", args[0]->x, args[1]); }' -c ./split
	contains '^41 1$'
	must_trace -n 'pid$target:a.out:where:entry { printf("%d\n", ``total); }' -c ./split
	contains '^5$'
	mv split.dwo elsewhere.dwo || skip "this compiler splits no debug information"
	trace -n 'pid$target:a.out:where:entry { printf("%d\n", args[0]->x); }' -c ./split
	same "$status" 1 "status without the file"
	contains "args\[0\] has no type: the debug information of split for it is in $PWD/split.dwo (-gsplit-dwarf), which is not there\$" err
	trace -n 'pid$target:a.out:where:entry { printf("%d\n", ``total); }' -c ./split
	contains "there is no debug information with a type for this symbol, and $PWD/split.dwo is not there (-gsplit-dwarf): declare it" err
	must_trace -n 'pid$target:a.out:where:entry { printf("%d\n", arg1); }' -c ./split
	contains '^1$'
done
exit 0
