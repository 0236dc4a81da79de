# What: a clause that changes something before it reads absent memory waits before it does so; what cannot be
# looked at first faults as ever; either way it changes it once.
. "$LIB"
trace -n 'syscall::openat:entry /pid == $target/ { n++; @a["before"] = count(); @[copyinstr(arg1)] = count(); }
	syscall::openat:entry /pid == $target/ { m++; this->p = arg1; this->p++; trace(copyinstr(this->p)); }
	syscall::openat:entry /pid == $target/ { @later = count(); }
	ERROR { @faults[arg1] = count(); }
	END { printf("\nn %d\nm %d\n", n, m); printa("later %@d\n", @later); printa("fault %d %@d\n", @faults); printa(@a); printa(@); }' \
	-c "$TRIGGERS/paths open 300"
same "$status" 0 status
opens=$(($(counted open) + 2)) # and its own two files
same "$(value_of n)" "$opens" n
same "$(value_of m)" "$opens" m
same "$(value_of later)" "$opens" "later clauses"
same "$(value_of before)" "$opens" "aggregation"
same "$(awk '/nowhere/ { n += $2 } END { print n }' out)" 300 "paths behind effects"
grep -q '^fault' out && fail "the page was there for the second clause"
trace -n 'syscall::openat:entry /pid == $target/ { n++; this->p = arg1; this->p++; trace(copyinstr(this->p)); }
	ERROR { @faults[arg1] = count(); } END { printf("\nn %d\n", n); printa("fault %d %@d\n", @faults); }' -c "$TRIGGERS/paths open 300"
same "$(value_of n)" "$opens" n
contains '^fault 1 300$'
trace -n 'syscall::openat:entry /pid == $target/ { n++; this->p = arg1; this->p++; trace(copyinstr(this->p)); }' -c "$TRIGGERS/paths open 1"
contains 'only before the clause changes anything' err
# what is remembered at the entry, and how everybody writes it
must_trace -n 'syscall::openat:entry /pid == $target/ { self->ts = timestamp; self->p = copyinstr(arg1); }
	syscall::openat:return /self->p != NULL/ { @[self->p, self->ts < timestamp] = count(); self->p = 0; self->ts = 0; }' -c "$TRIGGERS/paths open 800"
same "$(awk '/nowhere/ && $2 == 1 { n += $3 } END { print n }' out)" "$(counted open)" "paths behind self->ts"
# what lies where no memory ever is is a fault at once, behind what stands before it
trace -n 'syscall::openat:entry /pid == $target/ { n++; trace(*(int *)copyin(8, 4)); } syscall::openat:entry /pid == $target/ { self->seen = 1; }
	ERROR { self->before = !self->seen; } syscall::openat:return /self->before/ { @["at once"] = count(); self->seen = 0; }
	END { printf("\nn %d\n", n); }' -c "$TRIGGERS/paths open 7"
same "$(value_of at)" 9 "faults of bad addresses"
same "$(value_of n)" 9 "what stands before them"
