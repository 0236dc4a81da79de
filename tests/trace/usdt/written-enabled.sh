# What: the is-enabled test of our headers follows who traces: false, true while one or two trace, false again after the end and after kill -9; it counts in a library and its program apart.  Needs: uprobe cc.
# Executors: kernel (two tracers).
. "$LIB"
cat >part.c <<'C'
#include <dtrace/sdt.h>
int NAME(void) { int on = DTRACE_PROBE_ENABLED(parts, NAME); if (on) DTRACE_PROBE1(parts, NAME, on); return on; }
C
# Each change of the two tests is a line of ./changes.
cat >main.c <<'C'
#include <stdio.h>
#include <unistd.h>
int inside(void);
int outside(void);
int main(void)
{
	int before = -1;
	for (int i = 0; i < 60000; i++) {
		int now = 10 * inside() + outside();
		if (now != before) {
			FILE *f = fopen("changes", "a");
			fprintf(f, "%02d\n", now);
			fclose(f);
		}
		before = now;
		usleep(2000);
	}
	return 0;
}
C
gcc -O2 -fPIC -shared -DNAME=outside -isystem "$checkout/include" part.c -o libpart.so &&
	gcc -O2 -DNAME=inside -isystem "$checkout/include" -c part.c -o part.o &&
	gcc -O2 main.c part.o -L. -lpart -Wl,-rpath,'$ORIGIN' -o parts || fail "cannot compile"
./parts &
target=$!
trap 'kill $target 2>/dev/null' EXIT
is_now() { [ "$(tail -n 1 changes 2>/dev/null)" = "$1" ]; }
becomes() { until_true 20 is_now "$1" || fail "it is $(cat changes), wanted $1"; }

becomes 00
background -n 'parts$target:parts::inside { @ = count(); }' -p $target
becomes 10
first=$pid
background -n 'parts$target:::inside, parts$target:::outside { @ = count(); }' -p $target
becomes 11
# The end of the first tracer switches nothing off that the second one traces.
kill -INT $first && wait $first
sleep 0.2
same "$(echo $(cat changes))" "00 10 11" "changes"
kill -INT $pid && wait $pid
becomes 00
for round in 1 2 3 4 5; do
	background -n 'parts$target:::outside { @ = count(); }' -p $target
	becomes 01
	kill -9 $pid
	wait $pid 2>/dev/null
	becomes 00
done
# One line for each change, from one 00 to the next.
same "$(echo $(tail -n 11 changes))" "00 01 00 01 00 01 00 01 00 01 00" "later changes"
exit 0
