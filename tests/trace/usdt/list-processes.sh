# What: -l of static probes of every process has a row for each process that has the probe.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
cat >main.c <<'C'
#include <sys/sdt.h>
#include <unistd.h>
int main(void) { DTRACE_PROBE(listed_here, knock); return sleep(60); }
C
gcc -O1 -I "$checkout/include" -o lister main.c || fail "no program"
./lister & first=$!
./lister & second=$!
trap 'kill $first $second' EXIT
until_true 10 has_executed $first lister || fail "not executed"
until_true 10 has_executed $second lister || fail "not executed"
for description in 'listed_here*:::' 'listed_here:::knock' '*_here:lister::'; do
	trace -ln "$description"
	same "$(awk 'NR > 1 { print $2, $NF }' out | sort)" "$(printf 'listed_here%s knock\n' $first $second | sort)" "$description"
done
trace -l
same "$(awk '{ print $2 }' out | grep -c '^listed_here[0-9]*$')" 2 "rows in the list of everything"
trace -lvn 'listed_here*:::'
same "$(grep -c 'Argument Types' out)" 2 "details"
trace -ln "listed_here$first:::"
same "$(awk 'NR > 1 { print $2 }' out)" "listed_here$first" "one process"
