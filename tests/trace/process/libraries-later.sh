# What: -x executor=process traces libraries that the process loads, from their constructors on, and loads again.  Needs: cc.
# Executors: usual (it names them).
. "$LIB"
cat > library.c <<'C'
static int kept[10];
__attribute__((noinline)) int inner(int x) { for (int i = 0; i < 3; i++) kept[(unsigned)(x + i) % 10] += i; return x + 1; }
__attribute__((noinline)) int outer(int x) { return inner(x) * 2 + kept[0] * 0; }
__attribute__((constructor)) static void first(void) { outer(1000); }
C
cat > loads.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *load(void *path)
{
	for (int round = 0; round < 3; round++) {
		void *library = dlopen(path, RTLD_NOW);
		int (*outer)(int) = library ? (int (*)(int))dlsym(library, "outer") : NULL;
		if (!outer)
			exit(1);
		for (int i = 0; i < 100; i++)
			outer(i);
		dlclose(library);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[16];
	for (int i = 1; i < argc; i++)
		pthread_create(&threads[i], NULL, load, argv[i]);
	for (int i = 1; i < argc; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
C
cc -O1 -o loads loads.c -lpthread || fail "cannot compile"
for name in one two three four; do
	cc -O1 -fPIC -shared -o "lib$name.so" library.c || fail "cannot compile"
done
# Three loads of 100 calls and of a constructor's; clauses that had no probe before, with variables, records and strings.
trace -x executor=process -Z -n 'self int x;
	pid$target:libone.so:outer:entry { self->x = arg0; @f = count(); }
	pid$target:libone.so:inner:return { @v = sum(arg1); }
	pid$target:libone.so:outer:return /self->x == 99/ { printf("%s %s %d\n", probefunc, probename, arg1); @s[ustack(2)] = count(); }
	END { printa("f %@d\n", @f); printa("v %@d\n", @v); printa("stack %k%@d\n", @s); }' -c './loads ./libone.so'
[ "$status" -eq 0 ] || fail "status $status"
contains '^f 303$'
contains "^v $((3 * (99 * 100 / 2 + 100 + 1001)))$"
[ "$(grep -c '^outer return 200$' out)" -eq 3 ] || fail "other records"
contains 'libone.so`outer+0x'
contains 'loads`load+0x'
# Several threads load at once; nobody waits in vain, and no call is missed.
trace -x executor=process -Z -n 'pid$target:lib*.so:outer:entry,pid$target:lib*.so:inner:entry { @[probemod, probefunc] = count(); }
	END { printa("%s %s %@d\n", @); }' -c './loads ./libone.so ./libtwo.so ./libthree.so ./libfour.so'
[ "$status" -eq 0 ] || fail "status $status"
for name in one two three four; do
	contains "^lib$name.so outer 303\$"
	contains "^lib$name.so inner 303\$"
done
[ -s err ] && fail "messages"
exit 0
