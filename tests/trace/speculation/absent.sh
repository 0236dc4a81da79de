# What: a clause that speculates, then reads absent memory leaves its record all the same, once, and no id is lost.
. "$LIB"
must_trace -x nspec=1 -n 'syscall::openat:entry /pid == $target/ { self->id = speculation(); speculate(self->id); printf("path %s\n", copyinstr(arg1)); }
	syscall::openat:return /self->id && errno == ENOENT/ { commit(self->id); self->id = 0; }
	syscall::openat:return /self->id/ { discard(self->id); self->id = 0; }' -c "$TRIGGERS/paths open 300"
same "$(grep -c '^path /nowhere/[0-7]$' out)" "$(counted open)" "paths committed"
# the id is older than the clause
must_trace -x nspec=1 -n 'syscall::openat:entry /pid == $target/ { self->id = speculation(); }
	syscall::openat:entry /self->id/ { speculate(self->id); printf("path %s\n", copyinstr(arg1)); }
	syscall::openat:entry /self->id/ { speculate(self->id); printf("again %s\n", copyinstr(arg1)); }
	syscall::openat:return /self->id && errno == ENOENT/ { commit(self->id); self->id = 0; }
	syscall::openat:return /self->id/ { discard(self->id); self->id = 0; }' -c "$TRIGGERS/paths open 300"
same "$(grep -c '^path /nowhere/[0-7]$' out)" "$(counted open)" "paths"
same "$(grep -c '^again /nowhere/[0-7]$' out)" "$(counted open)" "paths of the second clause"
