# What: code that a process has made at run time is named by the jitdump file that it maps, also when it has moved; a
# damaged file ends the names, not dtrace.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
cat >jit.c <<'C'
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static int file;
__attribute__((noinline)) void at(char *code) { __asm__ volatile("" : : "r"(code)); }
static void number(uint64_t value, int size) { if (write(file, &value, size) != size) exit(1); }
static void begin(int id, int size) { number(id, 4); number(16 + size, 4); number(1, 8); number(getpid(), 4); number(1, 4); }
static void load(char *code, int index, const char *name)
{
	int len = strlen(name) + 1;
	begin(0, 40 + len + 4);
	number((uintptr_t)code, 8); number((uintptr_t)code, 8); number(64, 8); number(index, 8);
	if (write(file, name, len) != len) exit(1);
	number(0x90909090, 4);
}
static void move(char *from, char *to, int index)
{
	begin(1, 48);
	number((uintptr_t)to, 8); number((uintptr_t)from, 8); number((uintptr_t)to, 8); number(64, 8); number(index, 8);
}
int main(int argc, char **argv)
{
	char path[64], *code = mmap(0, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	snprintf(path, sizeof(path), "jit-%d.dump", getpid());
	file = open(path, O_RDWR | O_CREAT, 0600);
	mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	number(0x4a695444, 4); number(1, 4); number(40, 4); number(62, 4); number(0, 4); number(getpid(), 4); number(1, 8); number(0, 8);
	load(code, 7, "first made");
	begin(2, 8); /* a record of another kind */
	load(code + 64, 8, "Klass::second(int)");
	at(code + 1);
	at(code + 64);
	move(code, code + 128, 7);
	at(code + 130);
	if (argc > 1) {
		number(0, 4); number(3, 4); number(1, 8); /* a record of three bytes */
		load(code + 192, 9, "behind the damage");
	}
	at(code + 192);
	pause(); /* names of a file in no fixed place need the process, or a look-up while it was there */
	return 0;
}
C
gcc -O1 -o jit jit.c || fail "cannot compile"
for damaged in "" x; do
	must_trace -c "./jit $damaged" -n 'pid$target:a.out:at:entry { @[uaddr(arg0)] = count(); n++; } tick-50ms /n == 4/ { printa("%A %@d\n", @); exit(0); }'
	same "$(grep . out | sed 's/^0x[0-9a-f]*/ADDRESS/' | sort)" "ADDRESS 1
[jit]\`Klass::second(int) 1
[jit]\`first made+0x1 1
[jit]\`first made+0x2 1" "names ($damaged)"
done
