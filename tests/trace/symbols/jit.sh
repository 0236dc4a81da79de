# What: code that a process has made at run time is named by the map that it writes, in stacks and keys, also when it has
# ended; a map that another user wrote is not read.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
cat >jit.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noinline)) void at(char *code) { __asm__ volatile("" : : "r"(code)); }
__attribute__((noinline)) void done(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	char path[64];
	char *code = mmap(0, 1 << 16, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	FILE *number = fopen("pid", "w");
	fprintf(number, "%d", getpid());
	fclose(number);
	sprintf(path, "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "w");
	if (argc > 1 && chown(path, 12345, 12345))
		return 1;
	fprintf(map, "%lx 100 made\n", (unsigned long)code);
	fflush(map);
	at(code + 1);
	fprintf(map, "%lx 100 then made\n", (unsigned long)code + 256);
	fclose(map);
	at(code + 256);
	at(code + 512);
	done();
	return 0;
}
C
gcc -O1 -o jit jit.c || fail "cannot compile"

# named ARGUMENT - what ./jit's addresses are called, in the order of their names
named() {
	must_trace -c "./jit $1" -n 'pid$target:a.out:at:entry { @[uaddr(arg0)] = count(); @m[umod(arg0)] = count(); }
		END { printa("%A %@d\n", @); printa("%A %@d\n", @m); }'
	grep . out | sed 's/^0x[0-9a-f]*/ADDRESS/; s/^\[anon\]/ADDRESS/' | sort
	rm -f "/tmp/perf-$(cat pid).map"
}
same "$(named)" "ADDRESS 1
ADDRESS 1
[jit] 2
[jit]\`made+0x1 1
[jit]\`then made 1" "names of a process that has ended"
same "$(named x | sort -u | grep -v " 3$")" "ADDRESS 1" "names from another user's map"
