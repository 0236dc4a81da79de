# What: dtrace does not stop at probes that it puts into a library which it runs, too; what starting programs pay is said before, by the
# number of breakpoints.  Needs: uprobe cc.
. "$LIB"
libc=$(ldd /bin/sh | sed -n 's,.*=> \(/[^ ]*libc\.so\.6\).*,\1,p')
linker=$(ldd /bin/sh | sed -n 's,^[[:space:]]*\(/[^ ]*ld-linux[^ ]*\).*,\1,p')
cp -L "$libc" libc.so.6 && cp -L "$linker" ld.so || fail "cannot copy a C library"
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	int left = argc > 1 ? atoi(argv[1]) : 0;
	char text[16];
	if (left == 0)
		return 0;
	FILE *f = left == 3 ? fopen("ready", "w") : NULL;
	if (f)
		fclose(f);
	for (int i = 0; f && i < 600 && access("go", F_OK) < 0; i++)
		usleep(50000);
	snprintf(text, sizeof(text), "%d", left - 1);
	return execl(argv[0], argv[0], text, NULL);
}
C
gcc -o program program.c -Wl,--dynamic-linker="$PWD/ld.so" -Wl,-rpath,"$PWD" || fail "cannot compile"

# maps PID - does it run code of the file of the private C library?
maps() {
	grep -q "r-xp.*$PWD/libc.so.6" "/proc/$1/maps"
}
./ld.so --library-path "$PWD" "$DTRACE" -x follow=all -o counts -n 'pid$target:libc.so.6:m*:entry { @[pid == $target] = count(); }
	pid$target:libc.so.6:[g-s]*:entry { @all = count(); }' -c "$PWD/program 3" >out 2>err &
pid=$!
until_true 20 test -e ready || fail "the program does not start"
maps "$(pgrep -P "$pid" -x program)" || fail "the program does not run the private library"
maps "$pid" && fail "dtrace runs the library that it probes"
touch go
wait "$pid" || fail "status $?"
contains 'each program that starts with .*libc\.so\.6, followed or not, takes some [0-9.]* ms longer: the kernel sets [0-9]* breakpoints in it, twice' err
grep 'not followed runs' err && fail "nobody else runs the private library"
contains '^ *1 *[1-9]' counts

# Few are not worth a line, and without follow other programs have none.
trace -x follow=all -n 'pid$target:libc.so.6:mallo*:entry { @ = count(); }' -c "$PWD/program 1"
same "$status" 0 status
grep 'each program that starts' err && fail "a word on few breakpoints"
"$DTRACE" -n 'pid$target:libc.so.6:[g-s]*:entry { @ = count(); }' -c "$PWD/program 1" >out 2>err || fail "status $?"
grep 'each program that starts' err && fail "a word without follow"

# A place that many probes have in common is one breakpoint: 600 functions that end by a jump to the same one.
{
	echo 'volatile int sum; __attribute__((noinline)) int shared(int x) { sum += x; return sum; }'
	for i in $(seq 600); do echo "int f$i(int x) { sum += $i; return shared(x + $i); }"; done
	echo 'int main(void) { return f1(-2) - f600(-601); }'
} >jumps.c
gcc -O2 -fno-inline -o jumps jumps.c || fail "cannot compile"
"$DTRACE" -x follow=all -n 'pid$target:jumps:f[0-9]*:return { @ = count(); }' -c ./jumps >out 2>err || fail "status $?"
contains 'sets 601 breakpoints' err
exit 0
