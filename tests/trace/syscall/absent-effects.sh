# What: a clause that changes something before it reads absent memory waits before the change; a read that cannot be
# tried first faults as usual; either way the change happens once.
. "$LIB"
trace -n 'syscall::openat:entry /pid == $target/ { n++; @a["before"] = count(); @[copyinstr(arg1)] = count(); }
	syscall::openat:entry /pid == $target/ { this->p = arg1; m++; trace(copyinstr(this->p + 1)); }
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
# the element that is read is not known before the clause
trace -n 'syscall::openat:entry /pid == $target/ { n++; p[0] = arg1; p[0 * rand()] = arg1; trace(copyinstr(p[0])); }
	ERROR { @faults[arg1] = count(); } END { printf("\nn %d\n", n); printa("fault %d %@d\n", @faults); }' -c "$TRIGGERS/paths open 300"
same "$(value_of n)" "$opens" n
contains '^fault 1 300$'
trace -n 'syscall::openat:entry /pid == $target/ { n++; p[0 * rand()] = arg1; trace(copyinstr(p[0])); }' -c "$TRIGGERS/paths open 1"
contains 'its page is not in memory: read before the clause changes anything' err
# this variables, conditions on probe names
all_told() { # STATEMENTS - each open counted once, each path seen
	must_trace -n 'syscall::openat:entry /pid == $target/ { '"$1"' }
	END { printf("\nn %d\n", n); printa("told %s %@d\n", @told); }' -c "$TRIGGERS/paths open 300"
	same "$(value_of n)" "$opens" "n of $1"
	same "$(awk '$1 == "told" && $2 ~ /nowhere/ { n += $3 } END { print n }' out)" 300 "paths of $1"
}
all_told 'this->p = arg1 - 3; n++; @told[copyinstr(this->p + 3)] = count();'
all_told 'n++; if (probefunc == "openat" && arg0) { this->p = arg1; @told[copyinstr(this->p)] = count(); }'
# where the address itself is in absent memory, the look at that memory is enough to wait
must_trace -n 'syscall::writev:entry /pid == $target/ { n++; @told[copyinstr(*(uintptr_t *)copyin(arg1, 8))] = count(); }
	END { printf("\nn %d\n", n); printa("told %s %@d\n", @told); }' -c "$TRIGGERS/paths vector 200"
same "$(value_of n) $(awk '$1 == "told" { print $2, $3 }' out)" "200 /nowhere/vector 200" "n and paths of vectors"
# a variable of another kind is not known before the clause
trace -n 'syscall::openat:entry /pid == $target/ { n++; self->p = arg1; trace(copyinstr(self->p)); self->p = 0; }
	ERROR { @faults[arg1] = count(); } END { printf("\nn %d\n", n); printa("fault %d %@d\n", @faults); }' -c "$TRIGGERS/paths open 300"
same "$(value_of n)" "$opens" n
contains '^fault 1 300$'
# a truncated string is counted once, however often it is read
trace -x strsize=8 -n 'syscall::openat:entry /pid == $target/ { n++; @seen[copyinstr(arg1), tid] = count(); @told[copyinstr(arg1)] = count(); } END { trace(n); }' \
	-c "$TRIGGERS/paths open 50"
cuts=$(awk '/strings truncated/ { n += $2 } END { print n }' err)
[ "$((cuts % 2))" -eq 0 ] && [ "$cuts" -le "$((2 * (50 + 2)))" ] && [ "$cuts" -ge 100 ] || fail "$cuts cuts"
# assignments that are put into each other do not grow without end
steps=$(for i in $(seq 60); do echo "this->p$i = (this->p$((i - 1)) + this->p$((i - 1))) >> 1;"; done)
timeout 20 "$DTRACE" -e -n 'syscall::openat:entry { this->p0 = arg1; '"$steps"' n++; trace(copyinstr(this->p60)); }' || fail "growth"
# conditions, addresses that were computed on the way
must_trace -n 'syscall::openat:entry /pid == $target/ { n++; this->p = arg1 - 8; if ((int)arg0 == -100) @[copyinstr(this->p + 8)] = count(); }
	syscall::openat:entry /pid == $target/ { m++; if (arg2 == 77) @never[copyinstr(arg1)] = count(); else @seen[arg2 ? "" : copyinstr(arg1)] = count(); }
	syscall::openat:entry /pid == $target && (int)arg0 != -100/ { k++; }
	END { printf("\nn %d\nm %d\nother %d\n", n, m, k); printa("seen %s %@d\n", @seen); printa(@); }' -c "$TRIGGERS/paths open 300"
same "$(value_of n) $(value_of m)" "$opens $opens" "n and m"
same "$(awk '$1 ~ /nowhere/ { n += $2 } END { print n }' out)" 300 "paths in a condition"
same "$(awk '$1 == "seen" && $2 ~ /nowhere/ { n += $3 } END { print n }' out)" 300 "paths in the other branch"
# reads excluded by a condition are neither tried nor waited for
must_trace -n 'syscall::openat:entry /pid == $target/ { n++; self->in = 1; if (arg2 == 77) trace(copyinstr(arg1)); }
	syscall::openat:return /self->in/ { @["at the entry"] = count(); self->in = 0; }' -c "$TRIGGERS/paths open 300"
same "$(awk '/at the entry/ { print $4 }' out)" "$opens" "not waited for"
# a string that continues in an absent page
must_trace -n 'syscall::openat:entry /pid == $target/ { n++; @[copyinstr(arg1)] = count(); } END { printf("\nn %d\n", n); }' -c "$TRIGGERS/paths across 300"
same "$(value_of n)" "$opens" n
same "$(awk '$1 == "/nowhere/across" { print $2 }' out)" 300 "texts across pages"
# values kept at the entry, and the usual ways to write this
must_trace -n 'syscall::openat:entry /pid == $target/ { self->ts = timestamp; self->p = copyinstr(arg1); }
	syscall::openat:return /self->p != NULL/ { @[self->p, self->ts < timestamp] = count(); self->p = 0; self->ts = 0; }' -c "$TRIGGERS/paths open 800"
same "$(awk '/nowhere/ && $2 == 1 { n += $3 } END { print n }' out)" "$(counted open)" "paths behind self->ts"
# an address that never has memory faults at once, after the statements before it
trace -n 'syscall::openat:entry /pid == $target/ { n++; trace(*(int *)copyin(8, 4)); } syscall::openat:entry /pid == $target/ { self->seen = 1; }
	ERROR { self->before = !self->seen; } syscall::openat:return /self->before/ { @["at once"] = count(); self->seen = 0; }
	END { printf("\nn %d\n", n); }' -c "$TRIGGERS/paths open 7"
same "$(value_of at)" 9 "faults of bad addresses"
same "$(value_of n)" 9 "what stands before them"
# a write through a pointer to a this variable changes it once, though its name is not in the program
trace -n 'struct pair { int a; int b; }; this struct pair both; unsigned long p[int];
	syscall::openat:entry /pid == $target/ { p[tid] = arg1; }
	syscall::openat:entry /pid == $target/ { (&this->both.a)[arg4 & 0] += 1; @ones[this->both.a] = count(); this->c = copyinstr(p[tid + 0 * rand()]) == ""; }
	syscall::openat:entry /pid == $target/ { @ends[this->both.a] = count(); }
	END { printa("ones %d %@d\n", @ones); printa("ends %d %@d\n", @ends); }' -c "$TRIGGERS/paths open 300"
same "$(awk '$1 == "ones" || $1 == "ends"' out | sort)" "ends 1 $opens
ones 1 $opens" "written through a pointer"
trace -n 'struct pair { int a; int b; }; struct pair before, after; int *first; unsigned long p[int];
	BEGIN { first = &before.a; after.a = 1; }
	syscall::openat:entry /pid == $target/ { p[tid] = arg1; before.a = 0; }
	syscall::openat:entry /pid == $target/ { this->old = *first; before = after; @old[copyinstr(p[tid + 0 * rand()]) != "", this->old] = count(); }
	ERROR { @faults = count(); } END { printa("old %d %d %@d\n", @old); printa("faults %@d\n", @faults); }' -c "$TRIGGERS/paths open 300"
same "$(awk '$1 == "old" && $3 != 0' out)" "" "read through a pointer, after what it led to was assigned"
contains '^faults 300$'
# a chain of conditions, each asked once: its length is no matter, and the last branch is reached like the first
chain=
for i in $(seq 150); do
	chain="$chain if (arg2 == $((i + 5000)) && arg0) { @not[copyinstr(arg1 + $i)] = count(); } else"
done
must_trace -n 'syscall::openat:entry /pid == $target/ { n++; if (arg0) { '"$chain"' { @chain[copyinstr(arg1)] = count(); if (arg2 == 77) trace(copyinstr(arg1 + 1)); @more[copyinstr(arg1 + 2)] = count(); } } }
	END { printf("\nn %d\n", n); printa("not %@d\n", @not); printa("chain %s %@d\n", @chain); printa("more %s %@d\n", @more); }' -c "$TRIGGERS/paths open 300"
same "$(value_of n)" "$opens" n
grep -q '^not' out && fail "a branch that was not taken"
same "$(awk '$1 == "chain" && $2 ~ /^.nowhere/ { n += $3 } END { print n }' out)" 300 "paths at the end of a chain"
same "$(awk '$1 == "more" && $2 ~ /^owhere/ { n += $3 } END { print n }' out)" 300 "paths behind a condition in it"
# parts of this variables that are read by their address, and whose address nothing keeps: waited for like any
must_trace -n 'struct pair { int a; char text[8]; }; this struct pair one; this struct pair other;
	syscall::openat:entry /pid == $target/ { this->one.a = 3; this->other.a = 5; this->n = (arg2 >= 0 ? this->one : this->other).a;
		this->s = stringof(this->one.text); this->one = arg2 < 0 ? this->one : this->other; @[this->n, this->one.a, copyinstr(arg1)] = count(); }
	END { printa("parts %d %d %s %@d\n", @); }' -c "$TRIGGERS/paths open 300"
same "$(awk '$1 == "parts" && $2 == 3 && $3 == 5 && $4 ~ /nowhere/ { n += $5 } END { print n }' out)" 300 "parts of this variables"
