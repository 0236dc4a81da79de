# What: values of absent memory that a clause at the entry keeps are available at the return; the time is that of the entry.
. "$LIB"
must_trace -n 'syscall::openat:entry /pid == $target/ { self->path = copyinstr(arg1); self->at = timestamp; self->wall = walltimestamp; self->spent = vtimestamp; }
	syscall::openat:return /pid == $target/ {
		@[self->path == NULL ? "no path" : self->at < timestamp && self->wall < walltimestamp && self->spent < vtimestamp ? "well" : "bad time", errno == ENOENT] = count();
		self->path = 0; }' -c "$TRIGGERS/paths open 2000"
same "$(awk '$2 == 1' out)" "  well                                                      1             2000" "paths at the return"
grep -q -e 'no path' -e 'bad time' out && fail "not all"
# clauses share this variables, and strings
must_trace -n 'syscall::openat:entry /pid == $target/ { this->flags = arg2 + 5; this->word = "kept"; this->list = strtok("a,b,c", ","); }
	syscall::openat:entry /pid == $target/ { this->path = copyinstr(arg1);
		@[this->path, this->word, this->flags, execname, probefunc, probename, (int)arg0 == -100, errno, strtok(NULL, ",")] = count(); }' \
	-c "$TRIGGERS/paths open 80"
for i in 0 1 2 3 4 5 6 7; do
	grep -Eqx "  /nowhere/$i  *kept  *5  *paths  *openat  *entry  *1  *0  *b  *10" out || fail "path $i"
done
