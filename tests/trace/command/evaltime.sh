# What: exec, preinit, postinit and main stop a -c process where they say, and it then has its true entry point.
#       Needs: uprobe.  Executors: kernel (32 bits).
. "$LIB"
cat >library.c <<'C'
__attribute__((noinline)) int lib_f(int x) { __asm__ volatile("" : : "r"(x)); return x; }
__attribute__((constructor)) static void theirs(void) { lib_f(1); }
C
cat >program.c <<'C'
#include <stdio.h>
#include <sys/auxv.h>
int lib_f(int);
extern char _start[];
__attribute__((noinline)) int own(int x) { __asm__ volatile("" : : "r"(x)); return x; }
__attribute__((constructor)) static void mine(void) { own(1); }
int main(void)
{
	own(2);
	lib_f(2);
	if (getauxval(AT_ENTRY) != (unsigned long)_start)
		puts("with a false entry");
	return 0;
}
C
gcc -O0 -shared -fPIC -o library.so library.c && gcc -O0 -o program program.c ./library.so &&
	strip -o stripped program && gcc -O0 -static -o static program.c library.c ||
	fail "no program"

order() { # order PROGRAM EVALTIME WANTED FUNCTION...
	program=$1 evaltime=$2 wanted=$3
	shift 3
	for f; do
		set -- "$@" -n "pid\$target::$f:entry { printf(\"%s%d \", probefunc, arg0); }"
		shift
	done
	trace -Z -x evaltime="$evaltime" -c "./$program" "$@"
	same "$status" 0 "status of $program, $evaltime"
	same "$(tr -d '\n' <out)" "$wanted" "$program, $evaltime"
}
order program exec "lib_f1 own1 own2 lib_f2 " own lib_f # once it is mapped
order program preinit "lib_f1 own1 own2 lib_f2 " own lib_f
order program postinit "own1 own2 lib_f2 " own lib_f
order program main "own2 lib_f2 " own lib_f
order stripped preinit "lib_f1 lib_f2 " lib_f
order stripped main "lib_f2 " lib_f
order static preinit "own1 lib_f1 own2 lib_f2 " own lib_f
order static main "own2 lib_f2 " own lib_f

# 32 bits, where the machine runs them.
if gcc -m32 -O0 -shared -fPIC -o narrow.so library.c 2>/dev/null && gcc -m32 -O0 -o narrow program.c ./narrow.so && ./narrow; then
	order narrow preinit "lib_f1 own1 own2 lib_f2 " own lib_f
	order narrow postinit "own1 own2 lib_f2 " own lib_f
	order narrow main "own2 lib_f2 " own lib_f
	gcc -m32 -O0 -Wl,-z,lazy -o narrow program.c ./narrow.so
	order narrow main "own2 lib_f2 " own lib_f
fi

# The function that calls main() is looked up before the entry, or at its call.
for when in now lazy; do
	gcc -O0 -Wl,-z,$when -o program program.c ./library.so || fail "no program"
	order program main "own2 lib_f2 " own lib_f
done

# A program that has main(), and begins elsewhere, is not run.
cat >>program.c <<'C'
#include <unistd.h>
void begin(void) { _exit(write(2, "begun\n", 6) != 6); }
C
gcc -O0 -Wl,-e,begin -o program program.c ./library.so && gcc -O0 -static -Wl,-e,begin -o static program.c library.c || fail "no program"
for program in program static; do
	same "$(./$program 2>&1)" begun "$program alone"
	trace -x evaltime=main -c ./$program -n 'BEGIN { exit(0); }'
	same "$status $(cat out err)" "1 dtrace: failed to execute ./$program: its main() was not found: use evaltime=postinit" "$program that begins elsewhere"
done
