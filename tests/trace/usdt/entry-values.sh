# What: entry(EXPR) at the end of a pair of static probes (-start and -done, -entry and -return, -begin and -end, #pragma D pair) is EXPR's value
# at its beginning, of the same thread, the last first; pairs do not disturb each other.  Needs: uprobe cc.  Executors: kernel process.
. "$LIB"
[ "$(uname -m)" = x86_64 ] && nop=nop || nop=nop
cat >pairs.c <<C
#include <pthread.h>
#include <unistd.h>
/* Notes of static probes as sys/sdt.h writes them; one argument, a long. */
#define PROBE(name, x) __asm__ volatile("990: $nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f,994f-993f,3\n" \\
	"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n.asciz \"shop\"\n.asciz \"" name "\"\n.asciz \"-8@%0\"\n994: .balign 4\n.popsection\n" \\
	".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n.weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.popsection\n.endif\n" : : "r"((long)(x)))
#define F __attribute__((noinline, noclone))
static F void begin_order(long n) { PROBE("order-start", n); }
static F void end_order(long n) { PROBE("order-done", n); }
static F void order(long n) { begin_order(n); if (n % 4) order(n - 1); usleep(1); end_order(n * 10); }
static F void call(long n) { PROBE("function-entry", n); if (n) call(n - 1); PROBE("function-return", -n); }
static F void lone(long n) { PROBE("wait-begin", n); PROBE("open", n); PROBE("wait-end", n + 1); PROBE("shut", n + 2); }
static void *run(void *arg) { for (int i = 0; i < 20; i++) { order((long)arg + 3); call(200); lone((long)arg); } return arg; }
int main(void)
{
	pthread_t t[2];
	end_order(7); /* which has not begun */
	for (long i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, (void *)(1000 * (i + 1)));
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
}
C
gcc -O1 -o pairs pairs.c -pthread || fail "cannot compile"
trace -c ./pairs -n '#pragma D pair shop:::open shop:::shut
	shop$target:::order-done { @n["order"] = count(); @bad = sum(entry(arg0) * 10 != arg0); }
	shop$target:::function-return { @n["function"] = count(); @bad = sum(-entry(arg0) != arg0 || entry(probename) != "function-entry"); }
	shop$target:::*-end { @n["wait"] = count(); @bad = sum(entry(arg0) + 1 != arg0 || timestamp < entry(timestamp)); }
	shop$target:::shut { @n["open"] = count(); @bad = sum(entry(arg0) + 2 != arg0); }
	END { printa("%s %@d\n", @n); printa("bad %@d\n", @bad); }'
same "$status" 0 "status"
same "$(sort out | sed "/^$/d")" "bad 0
function 8040
open 40
order 160
wait 40" "pairs"
contains '^dtrace: 1 return left out, as entry() has no value there' err
# Refused by name.
refuse() {
	trace -c ./pairs -n "$1"
	same "$status" 1 "status of $1"
	contains "$2" err
}
refuse 'shop$target:::order-start { trace(entry(arg0)); }' 'entry() is for returns, .*, not for shop[0-9]*:pairs:begin_order:order-start'
refuse 'shop$target:::open { trace(entry(arg0)); }' 'entry() is for returns, .*, not for shop[0-9]*:pairs:lone:open'
refuse 'shop$target::: { trace(entry(arg0)); }' 'entry() is for returns'
