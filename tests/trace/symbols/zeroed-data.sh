# What: variables that begin as zeros have their names, in the last page of the file and after it, of a program at any address or at one.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >data.c <<'E2'
char first[64], given[64] = "x";
static char own[64] = "y", large[1 << 20];
char last[16];
__attribute__((noinline)) void look(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}
int main(void)
{
	look(first), look(given), look(own + 3), look(large + 500000), look(last);
	return 0;
}
E2
for kind in -pie -no-pie; do
	cc -O0 $kind -o data data.c || fail "not compiled"
	must_trace -qn 'pid$target:a.out:look:entry { usym(arg0); printf(" "); uaddr(arg0); printf(" "); umod(arg0); printf("\n"); }' -c ./data
	awk 'NF { print $1, $2, $3 }' out >names
	printf 'data`%s data\n' 'first data`first' 'given data`given' 'own data`own+0x3' 'large data`large+0x7a120' 'last data`last' |
		diff - names >&2 || fail "other names ($kind)"
done
