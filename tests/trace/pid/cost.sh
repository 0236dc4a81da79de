# What: before a thousand functions or more are probed, their costs are reported by class; pidfast leaves out the single-stepped ones.  Needs: uprobe_multi x86_64.
# Executors: kernel (it is the cost of the kernel's probes).
. "$LIB"
# loud ARGUMENT... - without -q
loud() {
	"$DTRACE" "$@" >out 2>err
	status=$?
}
# number WORDS - what stands before them in the message
number() {
	sed -n "s/.*what probes add.* at \([0-9]*\) $1\(, .*\| (.*\)*$/\1/p" err
}
loud -n 'pid$target:libc::entry { @ = count(); }' -c /bin/true
same "$status" 0 status
matched=$(sed -n 's/.* matched \([0-9]*\) probes/\1/p' err) fast=$(number 'entry points') stepped=$(number 'entry points that are single-stepped')
[ "$((fast + stepped))" -ge "$matched" ] && [ "$fast" -gt 0 ] && [ "$stepped" -gt 0 ] || fail "$fast and $stepped of $matched"
contains 'what probes add to each call of a function: 0.6 us at .*, 4 to 12 us at .* (-x pidfast leaves out single-stepped ones)$' err

# Those that stay are all fast; one that is named stays whatever it is.
{
	for i in $(seq 1200); do
		echo "void fast$i(void) { __asm__ volatile(\"push %rbp; pop %rbp\"); }"
		[ "$((i % 100))" -eq 0 ] && echo "void slow$i(void) { __asm__ volatile(\"xor %%eax, %%eax\" : : : \"eax\"); }"
	done
	echo 'int main(void) { return 0; }'
} >many.c
gcc -O1 -fcf-protection=none -fomit-frame-pointer -o many many.c || fail "cannot compile"
loud -n 'pid$target:a.out:[fs][al][os][wt][0-9]*:entry { @ = count(); }' -c ./many
same "$(number 'entry points that are single-stepped')" 12 "single-stepped entries"
loud -x pidfast -n 'pid$target:a.out:[fs][al][os][wt][0-9]*:entry { @ = count(); }' -c ./many
same "$(number 'entry points')" 1200 "fast entries"
same "$(number 'entry points that are single-stepped')" "" "single-stepped entries"
contains '12 probes that a pattern matches are left out' err
cat >it.c <<'C'
#include <stdlib.h>
__attribute__((noinline, noclone)) void slow(void) { __asm__ volatile("" : : : "memory"); }
int main(int argc, char **argv) { for (int i = 0; i < 3; i++) slow(); return 0; }
C
gcc -O1 -fcf-protection=none -o it it.c || fail "cannot compile"
must_trace -x pidfast -n 'pid$target:a.out:slow:entry { @ = count(); } END { printa("%@d\n", @); }' -c ./it
same "$(cat out)" 3 "a function by its name"
trace -Z -x pidfast -n 'pid$target:a.out:slo?:entry { @ = count(); } END { printa("%@d\n", @); }' -c ./it
same "$(cat out)" "" "a function by a pattern"
contains '1 probe that a pattern matches is left out' err
for kind in entry return; do
	trace -x pidfast -n 'pid$target:a.out:slo?:'$kind -c ./it
	contains 'does not match any probes: pidfast leaves out what fits: 1 function whose probes would be single-stepped$' err
done

# Returns and exits; few functions; -q.
loud -x pidret=kernel -n 'pid$target:libc::return { @ = count(); }' -c /bin/true
contains ' 0.5 us at [0-9]* returns' err
loud -n 'pid$target:libc::return { @ = count(); }' -c /bin/true
contains ' 4 to 12 us at [0-9]* returns that are single-stepped' err
loud -x pidfast -n 'pid$target:libc::return { @ = count(); }' -c /bin/true
contains 'left out .*; pidfast leaves out all returns that are single-stepped)$' err
loud -n 'pid$target:libc:m*:entry { @ = count(); }' -c /bin/true
grep 'what probes add' err && fail "a message about few functions"
trace -n 'pid$target:libc::entry { @ = count(); }' -c /bin/true
grep 'what probes add' err && fail "a message in spite of -q"
exit 0
