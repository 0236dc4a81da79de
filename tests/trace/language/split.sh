# What: what one program of the kernel cannot hold is split: order, this, exit(), predicates, errors, waiting and counts are those of one program.
. "$LIB"

# clauses N TEXT - N times TEXT, in which # is the number
clauses() {
	awk -v n="$1" -v text="$2" 'BEGIN { for (i = 1; i <= n; i++) { line = text; gsub("#", i, line); print line } }'
}

put() {
	printf '%s\n' "$*"
}

# parts EVENT FILE - how many programs there are for it
parts() {
	"$DTRACE" -xdump=plan -es "$2" ${3:+-c "$3"} 2>&1 | awk -v event="program for $1," '
		index($0, "program for") == 1 { here = index($0, event) == 1 }
		here && /^  part / { n++ }
		END { print n + 0 }'
}

# timers: a number goes through all clauses; a string, too
{
	put 'this string s; this int n;'
	put 'profile-997 { this->n = 0; this->s = "abc"; }'
	clauses 2500 'profile-997 { this->n++; }'
	put 'profile-997 { printf("%d %s\n", this->n, this->s); exit(0); }'
	put 'profile-997 { printf("after exit\n"); }'
} >timer.d
[ "$(parts timer timer.d)" -ge 3 ] || fail "the timer's clauses are one program"
must_trace -s timer.d
same "$(head -n 1 out)" "2500 abc" "this"
grep -q after out && fail "a clause after exit() ran"

# BEGIN and END: order, exit() between, faults with ERROR
{
	put 'int x, zero;'
	clauses 400 'BEGIN { x = # == x + 1 ? # : -1; this->f = #; @[# % 7] = count(); }'
	put 'BEGIN { this->y = 1 / zero; }'
	put 'BEGIN { printf("%d %d\n", x, this->f); }'
	put 'BEGIN { exit(3); }'
	clauses 300 'BEGIN { x = # + 1000; @[# % 7] = count(); }'
	clauses 300 'END { x++; @e[#] = count(); }'
	put 'END { printf("%d\n", x); trunc(@e); }'
	put 'ERROR { printf("error in clause %d\n", arg1); }'
} >order.d
[ "$(parts begin order.d)" -ge 2 ] || fail "BEGIN's clauses are one program"
trace -s order.d
same "$status" 3 "status"
same "$(sed 3q out | tr '\n' ' ')" "error in clause 401 400 400 700 " "order"

# system calls: each firing runs the clauses of its probe, all of them, once
{
	clauses 100 'syscall::getppid:entry /pid == $target/ { @a[#] = count(); this->n++; }'
	clauses 100 'syscall::read:entry /pid == $target/ { @b[#] = count(); }'
	clauses 100 'syscall::getppid:entry, syscall::close:entry /pid == $target && # % 2/ { @c[#, probefunc] = count(); this->n++; }'
	put 'syscall::getppid:entry /pid == $target && this->n == 150/ { @n = count(); }'
} >calls.d
[ "$(parts syscall-entry calls.d true)" -ge 3 ] || fail "the calls' clauses are one program"
put 'END { printa("a %d %@d\n", @a); printa("c %d %s %@d\n", @c); printa("n %@d\n", @n); }' >>calls.d
must_trace -s calls.d -c "$TRIGGERS/syscalls 500"
same "$(grep -c '^a [0-9]* 500$' out)" 100 "clauses of getppid"
same "$(grep -c '^c [0-9]* getppid 500$' out)" 50 "clauses whose predicate is true every other time"
same "$(sed -n 's/^n //p' out)" 500 "firings that ran all clauses"

# user memory that is absent at the entry: each part's clauses see the path
{
	put 'this string s;'
	clauses 150 'syscall::openat:entry /pid == $target/ { this->k = #; @[#, copyinstr(arg1)] = count(); }'
	put 'syscall::openat:entry /pid == $target/ { printf("%d %s\n", this->k, copyinstr(arg1)); }'
} >paths.d
[ "$(parts syscall-entry paths.d true)" -ge 2 ] || fail "the clauses of openat are one program"
put 'END { trunc(@); }' >>paths.d
echo some text >file
must_trace -s paths.d -c 'cat file'
grep -q '^150 file$' out || fail "the path that cat opens"
