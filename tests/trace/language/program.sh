# What: programs share names and run in order; faults, exit(), BEGIN and END, default actions, if and else.
. "$LIB"

# One handle: variables, aggregations, inlines, types and options of earlier programs.
must_trace -n 'inline int K = 3; struct f { int a; long b; }; typedef int mine; BEGIN { g = 5; self->q = 6; @a["x"] = sum(7); }' \
	-n 'BEGIN { printf("%d %d %d %d %d\n", g, self->q, (mine)K, sizeof(struct f), K); @a["x"] = sum(1); exit(0); }' \
	-n 'END { printa("%s %@d\n", @a); }'
same "$(cat out)" "5 6 3 16 3
x 8" "names of earlier programs"

# In the order of the text, predicates deciding.
must_trace -n 'BEGIN { printf("1 "); }' -n 'BEGIN { printf("2 "); } BEGIN /0/ { printf("no "); } BEGIN { printf("3 "); }' \
	-n 'BEGIN /1/ { printf("4"); exit(0); }'
same "$(cat out)" "1 2 3 4" "order"

# A fault ends its clause and discards the record, but undoes nothing, and does not affect the next clause.
trace -n 'BEGIN { x = 5; @["a"] = count(); printf("lost"); y = *(int *)0; x = 6; } BEGIN /z = 3, *(int *)8/ { printf("lost"); }
	BEGIN { if (x) { w = 1; } y = *(int *)16; } BEGIN { printf("%d %d %d %d", x, y, z, w); exit(0); } END { printa(" %@d", @); }'
same "$(cat out)" "5 0 3 1 1" "what a fault leaves"
contains 'BEGIN): invalid address (0x0) in action #4' err
contains 'BEGIN): invalid address (0x8) in predicate' err
contains 'BEGIN): invalid address (0x10) in action #3' err

# exit(): the rest of its clause, END, and nothing else; a second one counts in END alone.
trace -n 'BEGIN { printf("a "); exit(3); printf("b "); exit(9); } BEGIN { printf("c "); } tick-1 { printf("t "); } END { printf("end"); }'
same "$(cat out) $status" "a b end 3" "exit"
trace -n 'BEGIN { exit(3); } END { exit(4); }'
same "$status" 4 "END's exit"
trace -n 'tick-1 { exit(3); } tick-1 { printf("no"); exit(8); }'
same "$(cat out) $status" " 3" "two clauses of one firing"

# Which clauses leave a line: empty ones and those that record, in one line whatever branches they have.
lines() {
	"$DTRACE" -n "$1 tick-1 { exit(0); }" >out 2>/dev/null
	sed -n '/:BEGIN/s/^ *[0-9]* *[0-9]* *:BEGIN *//p' out | sed 's/  */ /g; s/ $//' >lines
	same "$(tr '\n' , <lines)" "$2" "the lines of $1"
}
lines 'BEGIN {} BEGIN { x = 1; } BEGIN { @ = count(); } BEGIN { discard(1); } BEGIN { trace(7); } BEGIN /0/ {} BEGIN { x == 2; }' ",7,"
lines 'BEGIN { if (1) trace(1); if (1) trace(2); } BEGIN { if (0) trace(3); else x = 1; }' "1 2,,"
lines 'BEGIN { self->s = speculation(); } BEGIN { speculate(self->s); } BEGIN { speculate(self->s); trace(7); } BEGIN { commit(self->s); }' ",7,"
"$DTRACE" -n BEGIN -n 'tick-1 { exit(0); }' 2>/dev/null | grep -q ':BEGIN *$' || fail "no line of a clause without body"

# ERROR runs before the next clause of the firing that faulted.
trace -n 'BEGIN { printf("a"); } BEGIN { x = *(int *)0; } BEGIN { printf("c"); exit(0); } ERROR { printf("b"); }'
same "$(cat out)" "abc" "ERROR before the next clause"

# Nothing fires before BEGIN is done, nor after END has begun.
must_trace -n 'int begun, ended; syscall:::entry /!begun || ended/ { @wrong = count(); } profile-997hz /!begun || ended/ { @wrong = count(); }
	BEGIN { this->x = strlen(strjoin("a", "b")); begun = 1; } syscall:::entry { @right = count(); } tick-200ms { exit(0); }
	END { ended = 1; } END { printa("right %@d\n", @right); printa("wrong %@d\n", @wrong); }'
grep -q '^right [1-9]' out || fail "no call was counted: $(cat out)"
grep wrong out && fail "a probe fired too early or too late"

# exit() ends tracing on all CPUs at once; what runs already is done long before `ended` is set.
must_trace -n 'int ended; profile-1997hz /ended/ { @late = count(); } profile-1997hz { @early = count(); }
	tick-50ms { exit(0); this->s = strjoin(execname, execname); this->s = strjoin(this->s, this->s); this->s = strjoin(this->s, this->s);
		this->i = index(strjoin(this->s, this->s), "no"); this->i = index(strjoin(this->s, this->s), "never"); ended = 1; }
	END { printa("early %@d\n", @early); printa("late %@d\n", @late); }'
grep -q '^early [1-9]' out || fail "nothing was counted"
grep late out && fail "clauses ran after exit()"

# Records of BEGIN come first and those of END last, whatever CPUs they ran on and whatever the order.
for temporal in on off; do
	must_trace -x temporal=$temporal -n 'BEGIN { printf("first\n"); } tick-20ms { printf("between\n"); } tick-100ms { exit(0); } END { printf("last\n"); }'
	same "$(grep . out | sed -n '1p;$p' | tr '\n' ' ')" "first last " "the order with temporal=$temporal"
	grep -q between out || fail "nothing between"
done
