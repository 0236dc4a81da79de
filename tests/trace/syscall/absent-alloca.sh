# What: memory of alloca() and copyin() whose address an earlier clause left in a this variable is valid for a clause
# that had to wait for the call's return: its contents, at the address that the variable then has.
. "$LIB"
must_trace -n 'struct held { int n; int *at; }; this struct held held;
	syscall::openat:entry /pid == $target/ { this->fixed = (int *)alloca(8); this->fixed[0] = tid; this->size = 12;
		this->sized = (char *)alloca(this->size); this->sized[0] = (char)(97 + tid % 26); this->held.at = (int *)alloca(4);
		*this->held.at = pid; this->number = arg1 ? (uint64_t)alloca(4) : 0; *(int *)this->number = pid + 1; @wrote = count(); }
	syscall::openat:entry /pid == $target/ { this->mine = (int *)alloca(8); this->mine[0] = -1; @[copyinstr(arg1)] = count();
		@read[this->fixed[0] == tid, stringof(this->sized) == lltostr(10 + tid % 26, 36)] = count();
		this->fixed[1] = 5; this->more = (char *)alloca(this->size); this->more[0] = 0; }
	syscall::openat:entry /pid == $target/ { @kept[*this->held.at == pid && *(int *)this->number == pid + 1 && this->fixed[0] == tid && this->fixed[1] == 5 && this->sized[0] == (char)(97 + tid % 26)] = count(); }
	END { printa("wrote %@d\n", @wrote); printa("read %d %d %@d\n", @read); printa("kept %d %@d\n", @kept); printa(@); }' -c "$TRIGGERS/paths open 300"
opens=$(value_of wrote)
same "$(awk '/nowhere/ { n += $2 } END { print n }' out)" 300 "paths that were waited for"
same "$(grep '^read' out)" "read 1 1 $opens" "what the clause before wrote"
same "$(grep '^kept' out)" "kept 1 $opens" "what both clauses wrote"

# All of it may be 60 KB: the program has twice as much scratch memory, which the block of a firing that waits has not.
must_trace -x scratchsize=56k -n 'int size;
	syscall::openat:entry /pid == $target/ { size = 50000; this->p = (char *)alloca(size); this->p[size - 1] = 97; }
	syscall::openat:entry /pid == $target/ { this->q = (char *)alloca(2000); this->q[1999] = 98; @[this->p[49999], copyinstr(arg1)] = count();
		@ends[this->p[49999], this->q[1999]] = count(); }
	END { printa(@); printa("ends %d %d %@d\n", @ends); }' -c "$TRIGGERS/paths open 300"
same "$(awk '$1 == 97 && /nowhere/ { n += $NF } END { print n }' out)" 300 "paths that were waited for with 50,000 bytes"
same "$(grep -c '^ends' out) $(grep -c '^ends 97 98' out)" "1 1" "the ends of what was kept"
