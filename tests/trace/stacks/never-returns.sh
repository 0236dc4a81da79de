# What: a function whose last instruction is a call that never returns has its name in stacks, not the next function's or none.  Needs: cc.
. "$LIB"
cat >leaves.c <<'C'
#include <unistd.h>
#define ALONE __attribute__((noinline))
ALONE __attribute__((noreturn)) void leave(int n) { _exit(n); }
ALONE int behind(int n) { return n + 1; }
ALONE __attribute__((noreturn)) void last(void) { leave(0); }
ALONE int further(int n) { return n + 2; }
int main(int count, char **words) { if (count == 7) return behind(count) + further(count); last(); }
C
${CC:-cc} -O2 -falign-functions=1 -o leaves leaves.c || fail "cannot compile"
for options in "-x ustack=auto" "-x oformat=json"; do
	trace $options -n 'syscall::exit_group:entry /pid == $target/ { ustack(); }' -c ./leaves
	same "$status" 0 "status"
	same "$(grep -o 'leaves`[a-z_]*\|"symbol":"[a-z_]*"' out | sed 's/.*`//; s/"symbol":"//; s/"//' | grep -x 'leave\|last\|main\|behind\|further' | tr '\n' ' ')" 'leave last main ' "names with $options"
done
