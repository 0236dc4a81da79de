# What: tables of files that are written anew in place, of more files than the pool holds, and of files that cannot be found.  Needs: cc.
. "$LIB"
flags="-O2 -fomit-frame-pointer -fno-optimize-sibling-calls"
cat >prog.c <<'C'
#include <string.h>
#include <unistd.h>
volatile char sink;
__attribute__((noinline)) void NAME(void)
{
	char room[ROOM];
	memset(room, 1, sizeof(room));
	sink = room[ROOM / 2];
	getppid();
	sink = room[1];
}
int main(void)
{
	for (int i = 0; i < TIMES; i++) {
		NAME();
		usleep(1000);
	}
	return 0;
}
C
gcc $flags -DTIMES=200 -DNAME=before -DROOM=40 -o before prog.c || fail "cannot compile"
gcc $flags -DTIMES=200 -DNAME=after -DROOM=3000 -o after prog.c || fail "cannot compile"

# The same inode has another program: the old table would lead anywhere.
cat >rewrite.sh <<'S'
cp before cfi_prog
./cfi_prog
inode=$(stat -c %i cfi_prog)
cat after >cfi_prog
./cfi_prog
[ "$(stat -c %i cfi_prog)" = "$inode" ]
S
trace -x oformat=json -n 'syscall::getppid:entry /execname == "cfi_prog" && progenyof($target)/ { ustack(); }' -c 'sh rewrite.sh'
same "$status $(grep -c '"ustack":' out)" "0 400" "stacks"
for name in before after; do
	whole=$(grep -c "\"symbol\":\"$name\".*\"symbol\":\"main\".*\"ended\":\"whole\"" out)
	[ "$whole" -ge 150 ] || fail "only $whole of 200 stacks in $name() are whole"
done

# Two libraries, one after the other; with libc their tables do not fit into the pool.
cat >library.c <<'C'
#include <unistd.h>
void NAME(void) { getppid(); __asm__ volatile("" ::: "memory"); }
#ifdef __x86_64__
#define PUSH "push %rax"
#else
#define PUSH "sub sp, sp, 8"
#endif
/* 2000 times 16 rows */
__asm__(".text\n.rept 2000\n.cfi_startproc\n.rept 15\n" PUSH "\n.cfi_adjust_cfa_offset 8\n.endr\n.cfi_endproc\n.endr\n");
C
gcc $flags -shared -fPIC -DNAME=first -o first.so library.c || fail "cannot compile"
gcc $flags -shared -fPIC -DNAME=second -o second.so library.c || fail "cannot compile"
cat >libraries.c <<'C'
#include <dlfcn.h>
#include <unistd.h>
static void run(const char *file, const char *name, int times)
{
	void (*call)(void) = (void (*)(void))dlsym(dlopen(file, RTLD_NOW), name);
	for (int i = 0; i < times; i++) {
		call();
		usleep(10000);
	}
}
int main(void)
{
	run("./first.so", "first", 50);
	run("./second.so", "second", 600);
	return 0;
}
C
gcc $flags -o libraries libraries.c || fail "cannot compile"
trace -x oformat=json -x ustackpool=256k -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c ./libraries
same "$status $(grep -c '"ustack":' out)" "0 650" "stacks"
for name in first second; do
	whole=$(grep "\"symbol\":\"$name\"" out | tail -20 | grep -c '"symbol":"main".*"ended":"whole"')
	same "$whole" 20 "of the last 20 stacks in $name() whole"
done
# Those in between had no room, which is said.
if grep -q '"ended":"noroom"' out; then
	grep -q "pool of unwind tables is full" out err || fail "nothing is said of the full pool"
fi

# The list of mappings of this process is hidden from dtrace: it is looked for rarely.
unshare -m true 2>/dev/null || exit 0
gcc $flags -DTIMES=3000 -DNAME=hidden -DROOM=100 -o hidden prog.c || fail "cannot compile"
cat >hide.sh <<'S'
./hidden &
mount -t tmpfs none /proc/$! || exit 77
exec "$DTRACE" -x debug -x switchrate=10ms -n "syscall::getppid:entry /pid == $! && n++ < 1000/ { @[ustack(9)] = count(); } tick-10ms /n >= 1000/ { exit(0); } tick-30s { exit(1); }"
S
unshare -m sh hide.sh >out 2>err
status=$?
[ "$status" != 77 ] || exit 0
same "$status" 0 "status with a hidden process"
asked=$(grep -c "its mapping is not found" err)
[ "$asked" -ge 1 ] && [ "$asked" -le 20 ] || fail "mappings were looked for $asked times"
