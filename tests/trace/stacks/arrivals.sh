# What: stacks of processes that nobody named, and of libraries loaded later, are whole, the first ones by copies.  Needs: cc.
# Executors: kernel (its probes are of system calls).
. "$LIB"
cat >loaded.c <<'C'
#include <unistd.h>
__attribute__((noinline)) void in_library(void) { getppid(); __asm__ volatile("" ::: "memory"); }
void enter(void) { in_library(); __asm__ volatile("" ::: "memory"); }
C
cat >main.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void (*enter)(void);
static int times = 200;
__attribute__((noinline)) void call(void) { enter(); __asm__ volatile("" ::: "memory"); }
static void *thread(void *arg)
{
	for (int i = 0; i < times; i++) {
		call();
		usleep(1000);
	}
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t id;
	usleep(atoi(argv[1]));
	if (argc > 2)
		times = atoi(argv[2]);
	enter = (void (*)(void))dlsym(dlopen("./loaded.so", RTLD_NOW), "enter");
	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
	return 0;
}
C
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -shared -fPIC -o loaded.so loaded.c || fail "cannot compile"
gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o main main.c -lpthread || fail "cannot compile"

# A stack is whole if it ends with clone3(), where threads begin.
trace -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c './main 1000'
same "$status $(grep -c '"ustack":' out)" "0 200" "stacks"
whole=$(grep -c '"in_library".*"enter".*"call".*"ended":"whole"' out)
same "$whole" 200 "whole stacks with a library loaded later"

# A process waits when it loads a library with probes: its tables are made then.
trace -Z -x oformat=json -n 'pid$target:loaded.so:in_library:entry { ustack(); }' -c './main 1000'
same "$status $(grep -c '"symbol":"in_library".*"symbol":"call".*"ended":"whole"' out)" "0 200" "stacks at probes of the library"

# Nobody has named this one.
./main 1500000 60000 &
pid=$!
trace -x oformat=json -n "syscall::getppid:entry /pid == $pid/ { ustack(); n++; } tick-10ms /n >= 190/ { exit(0); } tick-100s { exit(1); }"
kill "$pid"
same "$status" 0 "status"
whole=$(grep -c '"in_library".*"enter".*"call".*"ended":"whole"' out)
[ "$whole" -ge 190 ] || fail "only $whole of 190 stacks of an unnamed process are whole"

# Numbers of processes differ in a PID namespace.
unshare -fp --mount-proc true 2>/dev/null || exit 0
cat >inside.sh <<'S'
./main 1500000 60000 &
exec "$DTRACE" -q -x oformat=json -n "syscall::getppid:entry /pid == $! && n++ < 190/ { ustack(); } tick-10ms /n >= 190/ { exit(0); } tick-100s { exit(1); }"
S
unshare -fp --mount-proc sh inside.sh >out 2>err
same "$?" 0 "status in a namespace"
whole=$(grep -c '"in_library".*"enter".*"call".*"ended":"whole"' out)
[ "$whole" -ge 150 ] || fail "only $whole of 190 stacks are whole in a PID namespace"
