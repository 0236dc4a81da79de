# What: jstack() counts frames of code that a JIT has made and not named; with a perf map they have names, and nothing is counted.
# Needs: uprobe cc.
. "$LIB"
cat >jit.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* keeps a frame pointer and below it its second argument, calls the first */
#if defined(__x86_64__)
static const unsigned char calls[] = { 0x55, 0x48, 0x89, 0xe5, 0x56, 0x56, 0x56, 0x56, 0xff, 0xd7, 0xc9, 0xc3 };
#else
static const unsigned calls[] = { 0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0 };
#endif
__attribute__((noinline)) void leaf(void) { getppid(); __asm__ volatile(""); }
int main(int argc, char **argv)
{
	char path[64];
	char *code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, calls, sizeof(calls));
	__builtin___clear_cache(code, code + sizeof(calls));
	sprintf(path, "/tmp/perf-%d.map", getpid());
	if (argc > 1) {
		FILE *map = fopen(path, "w");
		fprintf(map, "%lx 100 Lcom/example/Made;::method\n", (unsigned long)code);
		fclose(map);
	}
	for (volatile long i = 1; i <= 2; i++)
		((void (*)(void (*)(void), long))code)(leaf, i * 4096);
	pause(); /* until dtrace ends: names of what ends at once may be missing */
	return 0;
}
C
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o jit jit.c || fail "cannot compile"
count='syscall::getppid:entry /pid == $target/ { jstack(); printf("%d", pid); exit(0); }'
trace -n "$count" -c ./jit
same "$status $(grep -c 'jit`leaf' out) $(grep -c 'jit`main' out)" "0 1 1" "a stack through made code"
same "$(sed 's/ (java.*//' err)" "dtrace: 1 frame of jstack() without a name, in no known file: code of a JIT has one by a perf map" "the count"
trace -n 'syscall::getppid:entry /pid == $target/ { @[jstack()] = count(); } syscall::getppid:entry /pid == $target && ++n == 2/ { exit(0); }' -c ./jit
same "$status $(grep -c 'jit`main' out) $(grep -x ' *2' out | tr -d ' ')" "0 1 2" "a key through made code, whatever is in its frame"
trace -n "$count" -c './jit map'
contains '^ *\[jit\]`Lcom/example/Made;::method+0xa$\|^ *\[jit\]`Lcom/example/Made;::method+0xc$' out
same "$status $(cat err)" "0 " "with a map"
rm -f "/tmp/perf-$(tail -n 1 out | tr -dc 0-9).map"
trace -n 'syscall::getppid:entry /pid == $target/ { ustack(); exit(0); }' -c ./jit
same "$status $(cat err)" "0 " "ustack() counts nothing"
exit 0
