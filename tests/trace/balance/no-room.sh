# What: a clause whose record does not fit is not run at all: its other changes are as many as its records; its
# predicate and the other clauses always run. Each is one drop.
. "$LIB"
books() { # SIZE COMMAND - the books are right with that size, when our reader runs the command first
	trace -w -b "$1" -x switchrate=2s -n "syscall::getppid:entry /pid == \$target && !begun++/ { system(\"$2\"); }" -n '
		syscall::getppid:entry /pid == $target && ++asked/ { printf("r\n"); @ran = count(); self->n++; n[0]++; }
		syscall::getppid:entry /pid == $target/ { text = strjoin("a", "b"); @beside = count(); }
		syscall::getppid:entry /pid == $target/ { printf("s %s\n", strjoin(execname, "!")); @slot = count(); }
		END { printf("asked %d\nelement %d\n", asked, n[0]); printa("ran %@d\n", @ran); printa("beside %@d\n", @beside);
			printa("slot %@d\n", @slot); }' -c "$TRIGGERS/burst 200000"
	same "$status" 0 "status with -b $1"
	n=$(counted getppid)
	same "$(value_of asked)" "$n" "predicates with -b $1"
	same "$(value_of beside)" "$n" "the clause beside with -b $1"
	same "$(value_of ran)" "$(grep -c '^r$' out)" "aggregation and records with -b $1"
	same "$(value_of element)" "$(grep -c '^r$' out)" "element and records with -b $1"
	same "$(value_of slot)" "$(grep -c '^s burst!$' out)" "aggregation and records of a slot with -b $1"
	same $(($(value_of ran) + $(value_of slot) + $(drops))) $((2 * n)) "records and drops with -b $1"
	rm -f counts
}
for size in 4k 64k; do
	books $size true
	# the output is not read until the target ends
	books $size 'until [ -s counts ]; do sleep 0.02; done'
	[ "$(drops)" -gt 100000 ] || fail "$(drops) drops with -b $size"
done
