# What: code that threads may run already gets no jumps: a file that the program has mapped itself, threads without an area, text relocations, a library
# written anew.  The process lives, what is missing is reported.  Needs: cc.  Executors: usual (it names them).
. "$LIB"
cat > hot.c <<'C'
static long calls;
__attribute__((noinline)) void hot(void) { for (volatile int i = 0; i < 3; i++) calls++; }
__attribute__((noinline)) long hot_calls(void) { return calls; }
C
cat > run.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
void own(void);
__asm__(".p2align 4\n.globl own\n.type own, @function\nown: push %rbx\n pause\n pause\n pause\n pause\n pop %rbx\n ret\n.size own, . - own\n");
static volatile int stop;
static void *run(void *f)
{
	while (!stop)
		((void (*)(void))f)();
	return NULL;
}
static void *idle(void *f)
{
	own();
	while (!stop)
		usleep(1000);
	return NULL;
}
static void load(void)
{
	for (int i = 0; i < 5; i++) {
		void *library = dlopen("./libcold.so", RTLD_NOW);
		usleep(2000);
		if (library)
			dlclose(library);
	}
}
/* The program's own file a second time, not by the linker. */
static void *map_again(void)
{
	char line[512];
	unsigned long begin, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx r-xp %lx", &begin, &end, &offset) == 3 && (unsigned long)own - begin < end - begin)
			break;
	fclose(maps);
	char *again = mmap(NULL, end - begin, PROT_READ | PROT_EXEC, MAP_PRIVATE, open("/proc/self/exe", O_RDONLY), (off_t)offset);
	return again + ((unsigned long)own - begin);
}
int main(int argc, char **argv)
{
	pthread_t threads[100];
	int count = argc > 2 ? atoi(argv[2]) : 0;
	void *f = NULL;
	for (int i = 1; i < count; i++)
		pthread_create(&threads[i], NULL, idle, NULL);
	if (count)
		usleep(100000);
	if (!strcmp(argv[1], "again"))
		f = map_again();
	else
		f = dlsym(dlopen("./libhot.so", RTLD_NOW), "hot");
	pthread_create(&threads[0], NULL, run, f);
	usleep(20000);
	load();
	stop = 1;
	pthread_join(threads[0], NULL);
	puts("lives");
	fflush(stdout);
	_exit(0);
}
C
cc -O1 -o run run.c -lpthread || fail "cannot compile"
cc -O1 -fPIC -shared -o libhot.so hot.c && cc -O1 -fPIC -shared -o libcold.so hot.c || fail "cannot compile"
lives() {
	trace -x executor=process -Z "$@"
	[ "$status" -eq 0 ] || fail "status $status: $*"
	contains '^lives$'
}
for i in 1 2 3; do
	lives -n 'pid$target:a.out:own:entry, pid$target:lib*:hot:entry { @ = count(); }' -c './run again'
	contains 'functions in 1 mapping of libraries .* are not traced: threads may have run them' err
	[ "$(wc -l <err)" -eq 1 ] || fail "other messages"
	# 99 threads, of which some have no area: the one that loads may be one of them.
	lives -n 'pid$target:a.out:own:entry, pid$target:lib*:hot:entry { @[probemod] = count(); } END { printa("%s %@d\n", @); }' -c './run load 99'
	grep '^dtrace' err | grep -v 'more threads than areas' && fail "other messages"
done
# The linker changes such code after its report.
echo '.text
.globl hot
.type hot, @function
hot: push %rbx
 movabs $hot, %rbx
 nop
 nop
 pop %rbx
 ret
.size hot, . - hot
.section .note.GNU-stack,"",@progbits' > hot.s
if cc -shared -Wl,-z,notext -o libhot.so hot.s 2>/dev/null; then
	lives -n 'pid$target:libhot.so:*:entry { @ = count(); }' -c './run load'
	contains 'DT_TEXTREL' err
fi
exit 0
