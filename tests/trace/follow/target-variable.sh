# What: a program that only reads target has its later libraries and programs traced as any other.  Needs: uprobe cc.
. "$LIB"
echo 'int in_library(int n) { __asm__ volatile(""); return n + 1; }' >library.c
cat >user.c <<'C'
#include <dlfcn.h>
int main(void)
{
	void *library = dlopen("./libown.so", RTLD_NOW);
	int (*function)(int) = library ? (int (*)(int))dlsym(library, "in_library") : 0;
	for (int i = 0; function && i < 10; i++)
		function(i);
	return !function;
}
C
cc -O1 -shared -fPIC -o libown.so library.c && cc -O1 -o user user.c -ldl || fail "cannot compile"
for command in ./user "sh -c 'exec ./user'"; do
	for at in exec postinit; do
		must_trace -Z -x evaltime=$at -n 'pid$target:libown.so:in_library:entry { @[target == $target] = count(); }
			END { printa("%d %@u\n", @); }' -c "$command"
		contains '^1 10$'
	done
done
