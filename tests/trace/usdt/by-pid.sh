# What: a description of the pid provider whose name is neither entry, return nor an offset means static probes of that process, whatever
# their provider; dead is both; p*d means the pid provider, too, and patterns without a name of its probes do not.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
cat >main.c <<'C'
#include <sys/sdt.h>
__attribute__((noinline)) int f(int x) { DTRACE_PROBE1(shop, query__start, x); DTRACE_PROBE(shop, dead); __asm__ volatile("" : "+r"(x)); return x; }
int main(void) { DTRACE_PROBE1(bank, query__start, 9); return f(1) + f(2) == 3 ? 0 : 1; }
C
gcc -O1 -I "$checkout/include" -o shop main.c || fail "no program"
must_trace -n 'pid$target:::query-start { printf("\n%s %s %d\n", probefunc, probename, arg0); @[probeprov == strjoin("shop", lltostr(pid))] = count(); } END { printa("shop %d %@d\n", @); }' -c ./shop
for line in 'main query-start 9' 'f query-start 1' 'f query-start 2' 'shop 0 1' 'shop 1 2'; do
	contains "^$line\$"
done
must_trace -n 'pid$target:::query* { @ = count(); } END { printa("%@d\n", @); }' -c ./shop
same "$(grep -c '^3$' out)" 1 "a pattern that is no offset"
must_trace -n 'pid$target::f:entry,pid$target:shop:f:query__start { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c ./shop
contains '^entry 2$'
contains '^query-start 2$'
must_trace -n 'pid$target:a.out::dead { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c ./shop
contains '^dead 2$'
trace -x errtags -n 'pid$target::f:enrty { }' -c ./shop
same "$status" 1 "status"
contains "\[D_PDESC_ZERO\].*'enrty' is neither entry, return nor an offset in hexadecimal digits, and process [0-9]* has no such static probe" err
must_trace -Zn 'pid$target::f:enrty { }' -c ./shop

must_trace -n 'p*d$target::f:entry { @[probeprov == strjoin("pid", lltostr(pid))] = count(); } END { printa("pid %d %@d\n", @); }' -c ./shop
contains '^pid 1 2$'
trace -n 'p*d$target::g:entry { }' -c ./shop
same "$status" 1 "status of a function that is not there"
contains 'does not match any probes: no module has such a function' err
trace -ln '*$target:::' -c ./shop
same "$(awk 'NR > 1 { print $2 }' out | sed 's/[0-9]*$//' | sort -u | tr '\n' ' ')" "bank shop " "providers of a mere star"
