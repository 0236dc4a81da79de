# What: thread-local variables of the program and of initial-exec libraries, by name, are those of the thread that fires: values, structs by their types, arrays, addresses; errno; in any probe; with alignment, static, stripped of types.  Needs: uprobe cc x86_64.
# Executors: kernel (its probes are of system calls).
. "$LIB"
cat >library.c <<'C'
#include <errno.h>
__attribute__((tls_model("initial-exec"))) __thread long of_library = 70;
static __attribute__((tls_model("initial-exec"))) __thread short hidden_there = 5;
long *of_library_at(void);
long *of_library_at(void) { hidden_there++; return &of_library; }
C
echo '__thread int of_dynamic = 3; int *of_dynamic_at(void); int *of_dynamic_at(void) { return &of_dynamic; }' >dynamic.c
cat >program.c <<'C'
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct state { int number; const char *name; short list[3]; };
__thread char before = 'b';
__thread struct state state = { 1, "main", { 1, 2, 3 } };
static __thread unsigned char small = 250;
__thread ALIGNED long aligned;
__thread int zero[100];
#ifdef LIBRARIES
extern long *of_library_at(void);
extern int *of_dynamic_at(void);
#endif
__attribute__((noinline)) static void show(void) { __asm__ volatile("" : : : "memory"); }
static void *run(void *arg)
{
	long n = (long)arg;
	state.number = (int)(n * 100);
	state.name = n == 1 ? "one" : n == 2 ? "two" : "three";
	state.list[2] = (short)-n;
	small += (unsigned char)n;
	aligned = n << 40;
	zero[99] = (int)n + 7;
#ifdef LIBRARIES
	*of_library_at() += n;
	*of_dynamic_at() += (int)n;
#endif
	errno = (int)n + 20;
	show();
	getppid();
	return NULL;
}
int main(void)
{
	for (long n = 1; n <= 3; n++) {
		pthread_t thread;
		pthread_create(&thread, NULL, run, (void *)n);
		pthread_join(thread, NULL);
	}
	run((void *)0);
	return before == 'x';
}
C
cat >script.d <<'D'
pid$target:a.out:show:entry { printf("%d %s %d %d %d %d %c %d\n", ``state.number, stringof(``state.name), ``state.list[2], ``small, ``aligned >> 40, ``zero[99], ``before,
	(uintptr_t)&``state.list[2] - (uintptr_t)&``state); }
syscall::getppid:entry /pid == $target && ``state.number/ { printf("call %d\n", a.out``state.number); }
D
wanted() {
	for n in 1:one 2:two 3:three 0:three; do
		i=${n%:*}
		echo "$((i * 100)) ${n#*:} -$i $(((250 + i) % 256)) $i $((i + 7)) b 20" | sed 's/ -0 / 0 /'
		[ "$i" -eq 0 ] || echo "call $((i * 100))"
	done
}
wanted >wanted
for compiler in gcc clang; do
	command -v $compiler >/dev/null || continue
	for options in "-O0 -g" "-O2 -g" "-O1 -g -no-pie" "-O1 -g -static" "-O1 -gdwarf-4"; do
		for align in "" "__attribute__((aligned(64)))" "__attribute__((aligned(4096)))"; do
			$compiler $options -DALIGNED="$align" program.c -o program -lpthread || fail "$compiler $options"
			must_trace -s script.d -c ./program
			grep . out | diff -u wanted - || fail "$compiler $options $align"
		done
	done
done

# Of libraries: the initial-exec model, also a static variable, also libc's; another model is refused.
gcc -g -O1 -shared -fPIC library.c -o liblibrary.so && gcc -g -O1 -shared -fPIC dynamic.c -o libdynamic.so &&
	gcc -g -O1 -DLIBRARIES -DALIGNED= program.c -o program -L. -llibrary -ldynamic -Wl,-rpath,'$ORIGIN' -lpthread || fail "libraries"
must_trace -n 'pid$target:a.out:show:entry { printf("%d %d %d\n", ``of_library, liblibrary.so``hidden_there, *(int *)copyin((uintptr_t)&``errno, 4)); }' -c ./program
same "$(grep . out | tr '\n' ,)" "71 6 21,72 6 22,73 6 23,70 6 20," "library"
trace -n 'pid$target:a.out:show:entry { trace(``of_dynamic); }' -c ./program
same "$status" 1 "dynamic"
contains 'each thread has its own of_dynamic, and where that is in .* is not known' err

# Without debug information: by a declaration.
strip --strip-debug program
trace -n 'pid$target:a.out:show:entry { trace(``small); }' -c ./program
contains 'no debug information' err
must_trace -n 'extern unsigned char small; pid$target:a.out:show:entry { printf("%d\n", ``small); }' -c ./program
same "$(grep . out | tr '\n' ,)" "251,252,253,250," "declared"
must_trace -n 'pid$target:a.out:show:entry { printf("%d\n", *(unsigned char *)copyin((uintptr_t)&``small, 1)); }' -c ./program
same "$(grep . out | tr '\n' ,)" "251,252,253,250," "by address"
exit 0
