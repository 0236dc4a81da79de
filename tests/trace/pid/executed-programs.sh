# What: after exec the pid probes of $target are matched again, in the new program.  Executors: kernel process.  Needs: uprobe.
. "$LIB"
cat > second.c <<'C'
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int second_f(int x) { __asm__ volatile(""); return x + 100000; }
int main(int argc, char **argv)
{
	int sum = 0;
	for (int i = 0; i < 50; i++) {
		sum += second_f(i);
		if (argc > 1)
			usleep(20000);
	}
	return sum == 0;
}
C
gcc -O1 -o second second.c && gcc -O1 -static -o static second.c || fail "cannot compile"

# From the first call on: the new program has the same dynamic linker.
must_trace -Z -n 'pid$target:a.out:second_f:entry { @ = count(); } END { printa("%@d\n", @); }' -c "sh -c 'exec ./second'"
contains '^50$'
must_trace -n 'pid$target:a.out:main:entry { printf("%s main\n", probemod); }' \
	-c "$TRIGGERS/loads exec"
same "$(cat out)" "loads main
loads main" "main() before and after exec of the same program"
cp second loads
must_trace -n 'pid$target:a.out:main:entry { @[probemod] = count(); } END { printa("%s %@d\n", @); }' \
	-c "sh -c 'exec $TRIGGERS/loads exec'" -Z
contains '^loads 2$'
# Another file of the same name.
cat > first.c <<'C'
#include <unistd.h>
__attribute__((noinline)) int same_f(int x) { __asm__ volatile(""); return x + 100000; }
int main(int argc, char **argv) { return same_f(1) == 100001 && argc > 1 ? execv(argv[1], argv + 1) : 0; }
C
mkdir a b && gcc -O1 -o a/same first.c && gcc -O1 -o b/same first.c || fail "cannot compile"
must_trace -n 'pid$target:sam*:same_f:entry { @ = count(); } END { printa("%@d\n", @); }' -c "a/same b/same a/same"
contains '^3$'
# A program whose module is named in full and was found has no probe at its linker. If the kernel can run a function
# before a program's first instruction (6.18), the program waits there; else the loss is reported.
grep -q ' bpf_task_work_schedule_resume' /proc/kallsyms && waits=1
trace -n 'pid$target:same:same_f:entry { @ = count(); } END { printa("=%@d\n", @); }' -c "a/same b/same a/same"
same "$status" 0 "status"
if [ "$waits" ]; then
	contains '^=3$'
	[ -s err ] && fail "something on standard error"
else
	contains '^=[23]$'
	contains 'executed another program: what that called before' err
fi

# By a thread other than the first: the kernel's links die with the thread that was the first and are made again while the
# process waits, or the gap is reported; after it, each call is seen once, in files known before and new ones.
cat > thread.c <<'C'
#include <pthread.h>
#include <unistd.h>
static char **next;
static void *other(void *unused) { execv(next[0], next); return unused; }
__attribute__((noinline)) int early_f(int x) { __asm__ volatile(""); return x + 100000; }
__attribute__((noinline)) int thread_f(int x) { __asm__ volatile(""); return x + 100000; }
int main(int argc, char **argv)
{
	pthread_t t;
	int sum = early_f(0);
	next = argv + 1;
	if (argc > 1) {
		pthread_create(&t, 0, other, 0);
		pthread_join(t, 0);
	}
	sleep(2);
	for (int i = 0; i < 50; i++)
		sum += thread_f(i);
	return sum == 0;
}
C
gcc -O1 -o thread thread.c -lpthread && cp thread thread2 &&
	gcc -O1 -static -o thread3 thread.c -lpthread || fail "cannot compile"
for next in thread thread2 thread3; do
	trace -n 'pid$target:a.out:early_f:entry { @early = count(); }
		pid$target:a.out:thread_f:entry { @f[probemod] = count(); }
		pid$target:a.out:thread_f:return { @r[probemod] = count(); }
		pid$target:libc:sleep:entry { @s = count(); }
		END { printa("%s f %@d\n", @f); printa("%s r %@d\n", @r); printa("sleep %@d\n", @s); printa("early %@d\n", @early); }' \
		-c "./thread ./$next"
	same "$status" 0 "status"
	contains "^$next f 50\$"
	contains "^$next r 50\$"
	gaps=$(grep -c 'executed another program: what that called before' err)
	if [ "$waits" ]; then
		contains '^early 2$'
		same "$gaps" 0 "gaps that are told"
	else
		same "$gaps" 1 "gaps that are told"
	fi
done

# Many in a row: where programs wait, each call is seen; else those after the last one as soon as if it had been the only one.
cat > row.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int left;
static void *other(void *name)
{
	char text[16];
	snprintf(text, sizeof(text), "%d", left - 1);
	execl(name, name, text, (char *)0);
	return name;
}
__attribute__((noinline)) int early_f(int x) { __asm__ volatile(""); return x + 100000; }
__attribute__((noinline)) int row_f(int x) { __asm__ volatile(""); return x + 100000; }
int main(int argc, char **argv)
{
	pthread_t t;
	left = atoi(argv[1]);
	early_f(0);
	if (left) {
		pthread_create(&t, 0, other, argv[0]);
		pthread_join(t, 0);
	}
	sleep(2);
	return row_f(0) != 100000;
}
C
gcc -O1 -o row row.c -lpthread || fail "cannot compile"
trace -n 'pid$target:row:row_f:entry { @ = count(); } pid$target:row:early_f:entry { @early = count(); }
	END { printa("row %@d\n", @); printa("early %@d\n", @early); }' -c "./row 60"
contains '^row 1$'
[ -z "$waits" ] || contains '^early 61$'

# A name's earlier meaning is found again: no second probe at one place.
cat > back.c <<'C'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW);
		if (!library)
			return 1;
		((int (*)(void))dlsym(library, "loaded_f"))();
		dlclose(library);
	}
	return 0;
}
C
echo 'int loaded_f(void) { return 1; }' > library.c
gcc -O1 -o back back.c && gcc -shared -fPIC -o a/libx.so library.c &&
	cp a/libx.so b/libx.so && cp a/libx.so libnew.so || fail "cannot compile"
must_trace -Z -n 'pid$target::loaded_f:entry { @[probemod] = count(); } END { printa("%s %@d\n", @); }' \
	-c "./back a/libx.so b/libx.so a/libx.so ./libnew.so"
contains '^libx.so 3$'
contains '^libnew.so 1$'

# A static program has no linker that could wait: elsewhere what comes after its first moments is traced.
trace -Z -n 'pid$target:a.out:second_f:entry { @ = count(); } END { printa("=%@d\n", @); }' -c "sh -c 'exec ./static slowly'"
same "$status" 0 "status"
if [ "$waits" ]; then
	contains '^=50$'
	[ -s err ] && fail "something on standard error"
else
	count=$(sed -n 's/.*=\([0-9][0-9]*\)$/\1/p' out)
	[ "${count:-0}" -ge 10 ] && [ "$count" -le 50 ] || fail "static: $count calls of 50"
	contains 'executed another program: what that called before' err
fi
exit 0
