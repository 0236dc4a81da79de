# What: the core of a process that was traced with -x bufpolicy=ring has its last records and its aggregations: dtrace --core prints them.  Needs: cc.
# Executors: usual (it names them).
. "$LIB"
cores_here
cp "$TRIGGERS/fire" fire
script='BEGIN { printf("begin\n"); } pid$target:a.out:fired:entry { printf("r %d %d %s\n", arg0, arg1, copyinstr(arg2)); @[arg0] = count(); }'

# The last 10,000 records of a million, whole and in order; what dtrace itself has printed, too.
for how in abort segv; do
	trace -x executor=process -x bufpolicy=ring -b 1m -qn "$script" -c "./fire 1000000 0 $how"
	same "$status" 0 "status"
	mv out printed
	trace --core core
	same "$status$(cat err)" 0 "reading the core"
	cmp out printed || fail "the core has other records than dtrace has printed"
	grep '^r' out | tail -n 10000 | awk '$2 != 0 || $3 != 989999 + NR || $4 != "text" || NF != 4 { print; bad = 1 }
		END { exit bad || NR != 10000 }' || fail "the last 10,000 records"
	contains '  0          1000000' out
	[ "$(stat -c %s core)" -lt 8000000 ] || fail "the core has $(stat -c %s core) bytes"
	cp core whole
	cp printed all
	rm -f core
done

# Threads, stacks and names, in both forms of output; by a user without privileges.
trace -x executor=process -x bufpolicy=ring -n 'pid$target:a.out:fired:entry /arg1 > 9997/ { printf("%s", probefunc); ustack(2); @[probemod, ustack(2)] = count(); }' \
	-c './fire 10000 3 abort'
grep -v '^ *$' out | sort >printed
trace --core core
same "$status$(cat err)" 0 "reading the core of threads"
grep -v '^ *$' out | sort | cmp - printed || fail "the core of threads has other records"
contains 'fire`work+0x' out
trace --core core -x oformat=json
same "$(grep -c '"type":"record"' out)" 8 "records in JSON"
grep '"type":"record"' out | head -n 1 | grep -q '"function":"fired"' || fail "no name in JSON"
grep '"type":"start"' out | grep -q '"programs":\[{"text":"pid$target:a.out:fired:entry' || fail "no text in JSON"
trace --core core -x oformat=folded
same "$status$(cat err)" 0 "folded stacks"
contains '^.*fire`work;fire`fired 8$' out
mv core moved
chmod 644 moved
trace --core moved
same "$status" 0 "a core with another name"
rm -f moved

# Without bufpolicy=ring a core is as small as it was.
trace -x executor=process -qn "$script" -c './fire 1000 0 abort'
[ "$(stat -c %s core)" -lt 4000000 ] || fail "without a flight recorder the core has $(stat -c %s core) bytes"
trace --core core
same "$status" 1 "status without a recorder"
contains 'core does not have the memory that the process shared with dtrace: it was traced without -x bufpolicy=ring' err
rm -f core
trace --core fire
contains 'fire is not a core file' err
trace --core nothing
contains 'cannot open nothing' err
trace --core whole -n BEGIN
contains 'it takes no programs' err

# Commands in records are run only with -w, options of the output are as they were.
trace -x executor=process -x bufpolicy=ring -wqx aggsortrev -n 'pid$target:a.out:fired:entry { system("echo ran"); @[arg1] = count(); }' -c './fire 3 0 abort'
same "$(grep -c '^ran' out)" 3 "commands that dtrace runs"
grep -v ran out >printed
trace --core core
same "$(grep -c '^ran' out)" 0 "commands of a core"
contains 'system() is not carried out (-w does it)' err
cmp out printed || fail "the aggregation is not sorted as by dtrace"
trace -w --core core
same "$(grep -c '^ran' out)" 3 "commands of a core, with -w"
rm -f core

# A limit of its size, and damage: a message, or fewer records, and what is missing is reported.
size=$(stat -c %s whole)
for part in 1 2 3 5 8 13 21 34 55 89; do
	head -c $((size * part / 100)) whole >core
	trace --core core
	[ "$status" -le 1 ] || fail "status $status of a core of $part %"
	grep -q 'truncated\|does not have the memory' err || cmp out all || fail "$part % of a core"
done
cat >damage.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	/* damage SEED: some bytes in each page, from standard input to standard output */
	int main(int argc, char **argv)
	{
		static unsigned char page[4096];
		size_t n, at = 0;
		srand(atoi(argv[1]));
		for (; (n = fread(page, 1, sizeof(page), stdin)); at++) {
			if (at > 1 && rand() % 4 == 0)
				for (int i = rand() % 9; i > 0; i--)
					page[rand() % n] = rand() % 3 ? rand() : rand() % 3 * 127;
			fwrite(page, 1, n, stdout);
		}
		return 0;
	}
END
cc -w -o damage damage.c || fail "cc"
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
	./damage $seed <whole >core
	trace --core core
	[ "$status" -le 1 ] || fail "status $status of damage $seed"
	[ -s err ] || [ "$(grep -c '^r' out)" -gt 0 ] || fail "damage $seed: neither records nor a message"
done
rm -f core
command -v gcore >/dev/null || exit 0

# The same of gdb's gcore, while the process waits.
background -x executor=process -x bufpolicy=ring -b 1m -n "$script" -c './fire 1000000 0 wait'
until_true 20 grep -q ready out || fail "the process is not ready"
gcore -o of "$(sed -n 's/^ready //p' out)" >gdb.out 2>&1 || fail "gcore: $(cat gdb.out)"
until_true 20 interrupted || fail "dtrace does not end"
mv of.* by-gdb
trace --core by-gdb
same "$status$(cat err)" 0 "reading gdb's core"
grep '^r' out | tail -n 10000 | awk '$2 != 0 || $3 != 989999 + NR || $4 != "text" { print; bad = 1 }
	END { exit bad || NR != 10000 }' || fail "the last 10,000 records of gdb's core"
