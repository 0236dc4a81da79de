# What: a program with a header of dtrace -h that system() or a child of -c runs for the first time is traced from its constructors on; it waits only if the variable names its provider and a process that is there, and never if it is setuid.  Needs: uprobe cc.
# Executors: kernel (children).
. "$LIB"
name=first$(tr -dc a-f <"/proc/sys/kernel/random/uuid")x
echo "provider $name { probe go(long); probe not__called(int); };" >app.d
"$DTRACE" -h -s app.d || fail "no header"
cat >short.c <<'C'
#include "app.h"
__attribute__((constructor)) static void first(void) { GO(0); }
int other(void);
int main(void) { for (long i = 1; i < 9; i++) GO(i); return other(); }
C
echo '#include "app.h"
int other(void) { GO(9); return 0; }' >other.c
go="-DGO=$(echo "$name" | tr a-z A-Z)_GO"
gcc -O1 -Wall -Wextra -Werror -isystem "$checkout/include" "$go" -o short short.c other.c || fail "cannot compile"
gcc -std=c99 -static -O1 -isystem "$checkout/include" "$go" -o static short.c other.c || fail "cannot compile a static program"

# All five are traced, in one round of forty: a first run may wait in vain for 10 ms.  The kernel's first uprobe after a pause waits
# for a grace period of RCU, which took 11 ms in two of three rounds on an idle 6.18 with two CPUs.
all_firings() { # PROGRAM PROVIDER DTRACE-WORDS...
	program=$1 provider=$2
	shift 2
	for round in $(seq 40); do
		for i in 1 2 3 4 5; do
			rm -f "run$i"
			cp "$program" "run$i" # a file that nobody has seen
		done
		trace -Zqw -n "$provider:::go { @[execname, arg0] = count(); n++; } END { printf(\"all %d\n\", n); printa(\"%s %d %@d\\n\", @); }" "$@"
		grep -qx 'all 50' out && break
	done
	contains '^all 50$'
	same "$(grep -c '^run[1-5] [0-9] 1$' out)" 50 "firings of $program, $provider, $*"
}
runs='./run1; ./run2 & wait; ./run3; ./run4; ./run5; :'
end='tick-300ms { exit(0); }'
all_firings ./short "$name" -n "BEGIN { system(\"$runs\"); } $end"
all_firings ./static "${name%x}*" -n "BEGIN { system(\"$runs\"); } $end"
all_firings ./short "$name" -c "sh -c '$runs'"

# The calls by which it waits.
cat >calls.c <<'C'
#include <stdio.h>
#include "app.h"
static int calls;
long syscall(long number, ...) { (void)number; calls++; return -1; } /* there is no such process */
int main(void) { printf("%d\n", calls); GO(1); return 0; }
C
gcc -O1 -isystem "$checkout/include" "$go" -o calls calls.c || fail "cannot compile"
calls() { same "$(env ${2:+"DTRACE_WAITS_FOR=$2"} ./calls)" "$1" "calls with '$2'"; }
calls 0 ''
calls 0 "1 other ${name}y ${name%x}"
calls 0 "1 other* ${name}y*"
calls 1 "1 other $name"
calls 1 "1 ${name%x}* other"

# A setuid program never looks.
chown 65534 calls && chmod u+s calls || fail "cannot make it setuid"
calls 0 "1 other $name"
exit 0
