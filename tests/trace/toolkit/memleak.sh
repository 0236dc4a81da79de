# What: memleak shows who allocated what has not been freed: by malloc, calloc, realloc and posix_memalign of a private C library; what was freed counts 0.  Needs: uprobe cc.
. "$LIB"
cat >leak.c <<'C'
#include <stdlib.h>
#define KEPT __attribute__((noinline))
#define USED(p) asm volatile("" : : "r"(p) : "memory")
KEPT void leaks(void) { void *p = malloc(100); USED(p); }
KEPT void zeroed(void) { void *p = calloc(2, 5000); USED(p); }
KEPT void grows(void) { void *p = malloc(10); USED(p); p = realloc(p, 1000); USED(p); }
KEPT void fine(void) { void *p = malloc(300); USED(p); free(p); p = calloc(3, 100); USED(p); free(p); }
KEPT void aligned(void) { void *p; if (posix_memalign(&p, 64, 77)) abort(); USED(p); }
int main(void)
{
	for (int i = 0; i < 50; i++) {
		leaks();
		fine();
	}
	zeroed();
	grows();
	aligned();
	return 0;
}
C
gcc -g -O1 -o leak leak.c || fail "cannot compile"
library_of() { ldd leak | awk -v name="$1" '$0 ~ name { for (i = 1; i <= NF; i++) if ($i ~ /^\//) { print $i; exit } }'; }
linker=$(library_of ld-linux) libc=$(library_of 'libc\.so')
[ -n "$linker" ] && [ -n "$libc" ] || skip "not of glibc"
cp -L "$linker" linker && cp -L "$libc" libc.so.6 || fail "no copies"
trace -s memleak -f "$PWD/libc.so.6" -c "./linker --library-path $PWD ./leak"
same "$status" 0 "status"
rows=$(awk '/leak.(leaks|fine|zeroed|grows|aligned)$/ { sub(/^leak./, "", $5); print $5, $3, $4 }' out | sort | tr '\n' ';')
same "$rows" "aligned 77 1;fine 0 0;grows 1000 1;leaks 5000 50;zeroed 10000 1;" "what is not freed"
contains 'pidret=kernel replaces return addresses' err
