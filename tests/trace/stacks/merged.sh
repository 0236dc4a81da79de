# What: equal stacks of processes that run the same file are one row, of every kind of aggregation, in JSON, in a printa() of several and after trunc();
# so are equal places and modules; stacks of another file are not, and without ustackmerge each process has its rows.  Needs: uprobe cc.
# Executors: kernel (several processes).
. "$LIB"
cat >forks.c <<'E2'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void leaf(int n) { __asm__ volatile("" : : "r"(n)); }
__attribute__((noinline)) void work(int n) { leaf(n); __asm__ volatile(""); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 20; i++) {
		if (fork() == 0) {
			work(i + EXTRA);
			_exit(0);
		}
		wait(NULL);
	}
	if (argc > 1)
		execv(argv[1], argv + 1);
	return 0;
}
E2
for extra in 1 2; do
	cc -O1 -fno-omit-frame-pointer -Wl,--build-id -DEXTRA=$extra -o "forks$extra" forks.c || fail "forks.c does not compile"
done
run="-c $PWD/forks1"
probe='pid$target:forks1:leaf:entry'
cat >it.d <<'E2'
pid$target:forks1:leaf:entry {
	@count[ustack(3)] = count(); @sum[ustack(3)] = sum(arg0); @min[ustack(3)] = min(arg0); @max[ustack(3)] = max(arg0);
	@avg[ustack(3)] = avg(arg0 * 2); @dev[ustack(3)] = stddev(arg0); @q[ustack(3)] = quantize(arg0); @other[pid, ustack(1)] = count();
	@sym[usym(uregs[R_PC])] = count(); @addr[uaddr(uregs[R_PC])] = count(); @mod[umod(uregs[R_PC])] = count();
	@parts[arg0 < 6, ustack(2)] = count(); @most[arg0 < 6, ustack(2)] = count();
}
END {
	trunc(@most, 1);
	printa("together%k%@d %@d %@d %@d %@d %@d\n", @count, @sum, @min, @max, @avg, @dev); printa("histogram%k%@d", @q);
	printa("symbol %A %@d\n", @sym); printa("place %A %@d\n", @addr); printa("module %A %@d\n", @mod);
	printa("part %d%k%@d\n", @parts); printa("most %d%k%@d\n", @most); printa("process %d%k%@d\n", @other);
}
E2
must_trace -x follow=fork -s it.d $run
same "$(grep -c '^together' out)" 1 "rows of six aggregations"
contains '^20 210 1 20 21 6$'
same "$(grep -c '^histogram' out)" 1 "histograms"
contains '^ *16 |@* *5 *$'
contains '^symbol forks1`leaf 20$'
contains '^place forks1`leaf 20$'
contains '^module forks1 20$'
same "$(grep -c '^part' out) $(grep -c '^most' out) $(grep -c '^process' out)" "2 1 20" "rows of parts, after trunc(), of processes"
same "$(sed -n '/^most/,/^process/p' out | grep -c '^15$')" 1 "the largest part"

must_trace -x follow=fork -x oformat=json -n "$probe { @[ustack(3)] = sum(arg0); }" $run
check_json
same "$(grep -c '"ustack":' out) $(grep -o '"value":[0-9][0-9]*' out)" '1 "value":210' "rows in JSON"

must_trace -x follow=fork -x ustackmerge=off -n "$probe { @[ustack(3)] = count(); @u[usym(uregs[R_PC])] = count(); }
	END { printa(\"row%k%@d\n\", @); printa(\"symbol %A %@d\n\", @u); }" $run
same "$(grep -c '^row' out) $(grep -c '^symbol forks1`leaf 1$' out)" "20 20" "rows of each process alone"

# Another file with the same functions.
must_trace -x follow=all -n 'pid$target:forks[12]:leaf:entry { @[ustack(1)] = count(); } END { printa("row%k%@d\n", @); }' -c "$PWD/forks1 $PWD/forks2"
same "$(grep -c '^row' out) $(grep -c '^20$' out)" "2 2" "rows of two files"

# A copy of the file has its own name in its rows.
mkdir elsewhere && cp forks1 copy && cp forks1 elsewhere/forks1 || fail "no copies"
must_trace -Z -x follow=all -n 'pid$target:copy:leaf:entry,pid$target:forks1:leaf:entry { @[execname, ustack(1)] = count(); }
	END { printa("row %s%k%@d\n", @); }' -c "$PWD/forks1 $PWD/copy $PWD/elsewhere/forks1"
same "$(tr -d '\n ' <out)" 'rowcopycopy`leaf20rowforks1forks1`leaf40' "rows of copies"
