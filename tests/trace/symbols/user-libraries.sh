# What: symbols of libraries: with versions, two libraries with the same one, variables of a library that the program has room
# for, a library file that the process also reads, one that is loaded by dlopen().  Executors: kernel process.
. "$LIB"
command -v gcc >/dev/null || skip "no C compiler"
cat >first.c <<'C'
int both = 5, only = 6, taken = 7, old = 100, new = 200;
static int debug_level = 8;
__asm__(".symver old,value@V1");
__asm__(".symver new,value@@V2");
int library_sum(void) { return both + taken + debug_level; }
C
cat >second.c <<'C'
int both = 55, late = 66;
C
printf 'V1 { global: *; };\nV2 { } V1;\n' >versions
cat >main.c <<'C'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
extern int taken, value, library_sum(void);
static int both_of_program[2];
__attribute__((noinline, noclone)) void done(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
__attribute__((noinline, noclone)) void loaded(void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
int main(void)
{
	taken = library_sum() + value + both_of_program[0];
	setvbuf(stdout, NULL, _IONBF, 0);
	/* The kernel gives the room below all libraries. */
	void *text = mmap(NULL, 20000, PROT_READ, MAP_PRIVATE, open("./libfirst.so.1", O_RDONLY), 0);
	done(text);
	void *second = dlopen("./libsecond.so", RTLD_NOW);
	loaded(second);
	for (char c; second && read(0, &c, 1) > 0;)
		done(text);
	return !second;
}
C
sed -i 's/<sys.mman.h>/&\n#include <unistd.h>/' main.c
gcc -g -shared -fPIC -Wl,--version-script=versions -o libfirst.so.1 first.c || fail "no first library"
gcc -g -shared -fPIC -o libsecond.so second.c || fail "no second library"
gcc -g -fPIE -pie -o program main.c ./libfirst.so.1 || fail "no program"

# The memory for `taken` is in the program: its type is that of the program's extern.
must_trace -q -n 'pid$target:a.out:done:entry {
	printf("%d %d %d\n", ``both, ``only, libfirst``debug_level);
	printf("taken %d\n", ``taken);
	printf("value %d %d %d\n", ``value, libfirst``value, ``old);
	printf("fileno %d\n", ``stdout->_fileno);
	exit(0);
}' -c ./program </dev/null
contains '^5 6 8$'
contains '^taken 220$'
contains '^value 200 200 100$'
contains '^fileno 1$'

mkfifo input
./program <input &
target=$!
exec 9>input
until_true 5 grep -q libsecond "/proc/$target/maps" || fail "the library is not loaded"
background -n 'BEGIN { printf("ready\n"); } pid$target:a.out:done:entry { printf("%d %d %d %d\n", libfirst``both, libsecond``both, ``late, ``only); exit(0); }' -p "$target"
until_true 20 grep -qs ready out || fail "never began"
echo >&9
exec 9>&-
wait "$pid" || fail "status $? of dtrace"
contains '^5 55 66 6$'
wait "$target" || fail "status of the program"
