# What: a process whose first thread has ended: no probe can be attached, which is reported; names are found. Needs: uprobe.
# Executors: kernel (the process must have its first thread).
. "$LIB"
cat > lost.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
static const char *library;
static pthread_t first;
__attribute__((noinline)) int lost_f(int fd) { char c; return read(fd, &c, 1); }
static void *other(void *unused)
{
	pthread_join(first, 0);
	lost_f(0);
	void *loaded = dlopen(library, RTLD_NOW);
	int (*f)(int) = loaded ? (int (*)(int))dlsym(loaded, "loaded_f") : 0;
	if (f)
		f(0);
	sleep(3);
	_exit(0);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t t;
	library = argv[1];
	first = pthread_self();
	pthread_create(&t, 0, other, 0);
	pthread_exit(0);
}
C
echo 'int loaded_f(int x) { return x; }' > library.c
gcc -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -rdynamic -o lost lost.c -lpthread &&
	gcc -shared -fPIC -o liblost.so library.c || fail "cannot compile"
mkfifo in

# Its state is the third field of stat: Z, while others run.
start() {
	./lost ./liblost.so <in &
	target=$!
	exec 3>in
	until_true 20 grep -qs ' Z ' "/proc/$target/stat" || fail "the first thread goes on"
}

start
trace -n 'pid$target:a.out:lost_f:entry { @ = count(); }' -p "$target"
same "$status" 1 "status"
contains "the first thread of process $target has ended" err
background -n 'BEGIN { printf("begun\n"); } syscall::read:return /pid == $target/ { ustack(); }' -p "$target"
until_true 20 grep -qs begun out || fail "never began"
printf x >&3
exec 3>&-
wait "$pid"
contains 'lost`other+0x'

# Code that arrives during tracing.
words='functions loaded while tracing are not traced: the first thread of process'
has_feature uprobe_multi || words='its first thread has ended, and this kernel'
trace -Z -n 'pid$target::loaded_f:entry { @ = count(); }' -c "sh -c 'exec ./lost ./liblost.so </dev/null'"
contains "$words" err
exit 0
