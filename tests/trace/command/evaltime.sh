# What: exec, preinit, postinit and main stop a -c process where they say.
#       Needs: uprobe.
. "$LIB"
cat >library.c <<'C'
__attribute__((noinline)) int lib_f(int x) { __asm__ volatile("" : : "r"(x)); return x; }
__attribute__((constructor)) static void theirs(void) { lib_f(1); }
C
cat >program.c <<'C'
int lib_f(int);
__attribute__((noinline)) int own(int x) { __asm__ volatile("" : : "r"(x)); return x; }
__attribute__((constructor)) static void mine(void) { own(1); }
int main(void) { own(2); lib_f(2); return 0; }
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
