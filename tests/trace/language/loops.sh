# What: for and while: sums, break, continue, loops in loops, faults in bodies, the bound; at every kind of event; lists of a program.
. "$LIB"
for executor in kernel interpreter; do
	must_trace -x executor=$executor -n 'BEGIN
	{
		for (this->i = 0; this->i < 10; this->i++)
			this->s += this->i;
		this->k = 0; this->n = 9;
		while (this->k < this->n) { this->k++; if (this->k == 2) continue; if (this->k == 5) break; @[this->k] = sum(this->k * 10); }
		for (this->a = 0; this->a < 3; this->a++)
			for (this->b = 0; this->b < 4; this->b++) { if (this->b == 2) break; n += this->a * 10 + this->b; }
		for (;;) if (this->z++ > 100) break;
		this->t = "";
		for (this->c = 3; this->c; this->c--) { a[this->c, "x"] = this->c; self->q[this->c] = 2; this->t = strjoin(this->t, lltostr(this->c)); }
		this->p = (int *)alloca(40);
		for (this->d = 0; this->d < 10; this->d++) this->p[this->d] = this->d * 3;
		for (this->e = 0; this->e < 0; this->e++) this->s = -1;
		for (this->f = 5; this->f < 0; this->f++) this->s = -1;
		printf("%d %d %d %d %d %s %d %d %d\n", this->s, this->i, this->k, n, this->z, this->t, a[2, "x"], self->q[3], this->p[9]);
		exit(0);
	}'
	same "$(tr -s ' \n' ' ' <out)" "45 10 5 63 102 321 2 2 27 1 10 3 30 4 40 " "results of $executor"

	# Bodies fault as clauses do: in the middle, in inner loops, in ERROR; the numbers are of the statement.
	must_fault -x executor=$executor -n 'BEGIN { for (this->i = 3; this->i >= 0; this->i--) { for (this->j = 0; this->j < 2; this->j++) { m++; n = 6 / this->i; } } lost = 1; }
		BEGIN { while (1) { x = *(int *)16; } lost = 1; }
		int v[3]; BEGIN { for (i = 0; ; i++) v[i] = 1; lost = 1; }
		BEGIN { exit(0); }
		ERROR { for (this->i = 0; this->i < 5; this->i++) e++; printf("%d %d %d|", arg2, arg4, arg5); }
		END { printf("%d %d %d %d", m, n, e, lost); }'
	same "$(head -n 1 out)" "6 4 0|2 1 16|3 11 3|7 6 15 0" "faults of $executor"

	# Passes print in the order of the text; the first record of a clause has the heading; strings, structs, tails; left by break, by a fault.
	printf '%s\n' 'BEGIN
	{
		printf("head ");
		for (this->i = 0; this->i < 3; this->i++) {
			printf("[%d", this->i);
			for (this->j = 0; this->j < 2; this->j++) printf(" %s", lltostr(this->j));
			printf("]");
		}
		printf(" mid ");
		while (this->k++ < 6) { if (this->k == 2) continue; if (this->k == 5) { printf("five"); break; } printf("%s,", lltostr(this->k)); }
		trace("tail");
	}
	BEGIN { this->n = 0; for (this->i = 0; this->i < 3; this->i++) trace(this->i); }
	BEGIN { if (this->n) trace(1); for (this->i = 0; this->i < 2; this->i++) if (this->i) print(this->i); }
	BEGIN { for (this->i = 0; this->i < 3; this->i++) { printf("%d ", 6 / (2 - this->i)); } printf("not"); }
	BEGIN { exit(0); }' >prints.d
	must_fault -x executor=$executor -s prints.d
	same "$(tr -d '\n' <out)" "head [0 0 1][1 0 1][2 0 1] mid 1,3,4,fivetail012long 0x13 6 " "what passes print, $executor"
	"$DTRACE" -x executor=$executor -s prints.d >out 2>err
	same "$(grep -c ':BEGIN' out)" 5 "headings"
	same "$(grep ':BEGIN' out | awk '{ printf "%s %s,", $3, $4 }')" ":BEGIN head,:BEGIN 0,:BEGIN long,:BEGIN 3,:BEGIN ," "their lines"
	"$DTRACE" -x executor=$executor -x oformat=json -qs prints.d >out 2>err
	same "$(grep -c '"type":"record"' out)" 26 "records in JSON"

	# The bound: as many passes are fine, one more is a fault; by default 1,024.
	must_fault -x executor=$executor -x maxloop=10 -n 'BEGIN { this->n = 10; for (this->i = 0; this->i < this->n; this->i++) x++; printf("%d ", x); }
		BEGIN { x = 0; this->n = 11; for (this->i = 0; this->i < this->n; this->i++) x++; }
		BEGIN { for (this->i = 0; this->i < 5000; this->i++) y++; }
		BEGIN { for (this->i = 0; this->i < this->n; this->i++) while (this->z++ >= 0) z++; }
		BEGIN { exit(0); } ERROR { printf("%d %d ", arg4, arg5); } END { printf("%d %d %d", x, y, z); }'
	same "$(tr -s ' \n' ' ' <out)" "10 14 10 14 10 10 5000 10 " "the bound of $executor"
	must_fault -x executor=$executor -n 'BEGIN { for (;;) x++; } ERROR { printf("%d %d %d", arg4 == DTRACEFLT_LOOP, arg5, x); exit(0); }'
	same "$(head -n 1 out)" "1 1024 1024" "the default bound of $executor"
done
grep -q 'more passes of a loop than -x maxloop allows.* (1024) in action #1' err || fail "$(cat err)"

# Loops in loops have a bound together; what pointers change is no counter.
must_fault -n 'BEGIN { while (this->i++ < 1000) { this->j = 0; while (this->j++ < 1000) { this->k = 0; while (this->k++ < 1000) this->n++; } } }
	BEGIN { for (this->i = 0; this->i < 250; this->i++) a[this->i] = 1; }
	BEGIN { foreach (k in a) foreach (l in a) foreach (m in a) this->n++; }
	BEGIN { for (this->i = 0; this->i < 2000; this->i++) { this->p = (char *)alloca(1); this->p[0] = 1; z++; } printf("%d ", z); }
	BEGIN { exit(0); } ERROR { printf("%d %d ", arg4, arg5); }'
same "$(tr -s ' \n' ' ' <out)" "14 8388609 14 8388609 2000 " "the bound of loops in loops"

# A variable that all CPUs share is warned of.
"$DTRACE" -qn 'BEGIN { for (i = 0; i < 3; i++) x++; trace(x); exit(0); }' >out 2>err
same "$(cat err)" 'dtrace: warning: line 1: the loop counts in i, which is global: other firings change it, too (this->i is the clause'\''s own)' "the warning"

# System calls, also with the rest of a suspended clause; timers, tracepoints and the scheduler.
must_trace -c "$TRIGGERS/syscalls 40" -n 'syscall::write:entry /pid == $target/ { for (this->i = 0; this->i < 10; this->i++) this->s += this->i; @["entry", this->s] = count(); }
	syscall::write:return /pid == $target/ { for (this->i = 0; this->i < 3; this->i++) @["return", this->i] = count(); }
	sched:::on-cpu { this->t = curthread; while (this->t->pid > 1) { this->t = this->t->real_parent; this->n++; } @sched["above", this->n >= 0] = count(); }'
same "$(awk '$1 == "entry" || $1 == "return" { printf "%s %s %s,", $1, $2, ($3 >= 40) }' out)" "entry 45 1,return 0 1,return 1 1,return 2 1," "system calls"
grep -q 'above *1 ' out || fail "no chain of parents"
must_trace -n 'profile-199 { for (this->i = 0; this->i < 4; this->i++) @[this->i] = sum(1); } tick-300ms { for (this->i = 0; this->i < 7; this->i++) n += 2; printf("%d", n); exit(0); }'
same "$(head -n 1 out)" 14 "a tick's loop"
same "$(awk 'NF == 2' out | wc -l)" 4 "keys of a profile's loop"
