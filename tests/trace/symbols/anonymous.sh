# What: umod() has one key for a process's anonymous memory, where compilers at run time put code.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
cat >jit.c <<'C'
#include <sys/mman.h>
#include <unistd.h>
__attribute__((noinline)) void at(char *code) { __asm__ volatile("" : : "r"(code)); }
__attribute__((noinline)) void done(void) { __asm__ volatile(""); }
int main(void)
{
	char *code = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 60000; i += 1000)
		at(code + i);
	at((char *)main);
	done();
	pause(); /* its mappings are read while it is there */
}
C
gcc -O1 -o jit jit.c || fail "cannot compile"
must_trace -c ./jit -n 'pid$target:a.out:done:entry { exit(0); } pid$target:a.out:at:entry { @[umod(arg0)] = count(); } END { printa("%A %@d\n", @); }'
same "$(grep . out | sort)" "[anon] 60
jit 1" "modules"
must_trace -c ./jit -n 'pid$target:a.out:done:entry { exit(0); } pid$target:a.out:at:entry /n++ < 2/ { printf("%A %A\n", umod(arg0), usym(arg0)); }'
same "$(grep -c '^\[anon\] 0x[0-9a-f]*$' out)" 2 "records of umod() and usym()"
must_trace -x oformat=json -c ./jit -n 'pid$target:a.out:done:entry { exit(0); } pid$target:a.out:at:entry { @[umod(arg0)] = count(); }'
same "$(grep -o '"module":"\[anon\]"' out | wc -l)" 1 "JSON"
check_json
