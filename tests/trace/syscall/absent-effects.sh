# What: a clause that has changed something before it reads absent memory faults as ever, and changes it once.
. "$LIB"
trace -n 'syscall::openat:entry /pid == $target/ { n++; @a["before"] = count(); @[copyinstr(arg1)] = count(); }
	syscall::openat:entry /pid == $target/ { m++; this->n = arg0; this->n++; trace(copyinstr(arg1)); }
	syscall::openat:entry /pid == $target/ { @later = count(); }
	ERROR { @faults[arg1] = count(); }
	END { printf("\nn %d\nm %d\n", n, m); printa("later %@d\n", @later); printa("fault %d %@d\n", @faults); printa(@a); }' \
	-c "$TRIGGERS/paths open 300"
same "$status" 0 status
opens=$(($(counted open) + 2)) # and its own two files
same "$(value_of n)" "$opens" n
same "$(value_of m)" "$opens" m
same "$(value_of later)" "$opens" "later clauses"
same "$(value_of before)" "$opens" "aggregation"
contains '^fault 1 300$'
contains '^fault 2 300$'
# what lies where no memory ever is is a fault at once
trace -n 'syscall::openat:entry /pid == $target/ { trace(*(int *)copyin(8, 4)); } syscall::openat:entry /pid == $target/ { self->seen = 1; }
	ERROR { self->before = !self->seen; } syscall::openat:return /self->before/ { @["at once"] = count(); self->seen = 0; }' -c "$TRIGGERS/paths open 7"
same "$(value_of at)" 9 "faults of bad addresses"
