# What: what dtrace -G makes links with code that has our header, with code that has SystemTap's (counters defined elsewhere), with itself; all of them are traced, is-enabled follows.  Needs: uprobe cc.
# Executors: kernel process.
. "$LIB"
cat >app.d <<'D'
typedef struct item { int number; } item_t;
provider app { probe go(int n, item_t *item); probe other__one(long); };
D
"$DTRACE" -h -s app.d && "$DTRACE" -G -s app.d || fail "no files"
cat >ours.c <<'C'
#include <stdio.h>
#include "app.h"
int main(void)
{
	struct item { int number; } item = { 7 };
	if (APP_GO_ENABLED())
		puts("go is enabled");
	APP_GO(-5, &item);
	APP_OTHER_ONE(1L << 40);
	return 0;
}
C
# What a header of SystemTap's script comes to: a counter that another object defines, referred to by code and note.
cat >theirs.c <<'C'
#include <stdio.h>
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
extern unsigned short app_go_semaphore __attribute__((unused, section(".probes")));
extern unsigned short app_other__one_semaphore __attribute__((unused, section(".probes")));
int main(void)
{
	struct item { int number; } item = { 7 };
	if (__builtin_expect(app_go_semaphore, 0))
		puts("go is enabled");
	DTRACE_PROBE2(app, go, -5, &item);
	DTRACE_PROBE1(app, other__one, 1L << 40);
	return 0;
}
C
works() {
	[ -z "$(./program)" ] || fail "enabled though nobody traces"
	must_trace -n 'app$target:::go { printf("%d %d\n", arg0, *(int *)copyin(arg1, 4)); } app$target:::other-one { printf("%x\n", arg0); }' -c ./program
	contains '^-5 7$'
	contains '^10000000000$'
	contains '^go is enabled$'
	same "$(readelf -nW program | grep -c "NT_STAPSDT\|stapsdt  ")" 2 "sites"
}
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	$compiler -O2 -isystem "$checkout/include" theirs.c -o program 2>/dev/null && fail "needs no object: the test is wrong"
	for source in ours theirs; do
		$compiler -O2 -isystem "$checkout/include" $source.c app.o -o program || fail "$compiler $source"
		works
	done
	$compiler -O2 -fPIC -shared -isystem "$checkout/include" -Dmain=go ours.c app.o -o libgo.so &&
		echo 'int go(void); int main(void) { return go(); }' >main.c &&
		$compiler main.c -L. -lgo -Wl,-rpath,'$ORIGIN' -o program && cp libgo.so keep.so && [ -z "$(./program)" ] || fail "library"
done
ld -r app.o -o again.o && gcc -isystem "$checkout/include" ours.c again.o app.o -o program && works
same "$(readelf -SW program | grep -c 'note.dtrace')" 1 "sections of notes"
same "$(readelf -p .note.dtrace program | grep -c 'typedef struct item')" 1 "copies of the types"
readelf -lW program | grep STACK | grep -q RWE && fail "the stack became executable"
exit 0
