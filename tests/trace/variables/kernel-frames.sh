# What: kernel stacks, caller and stackdepth begin outside of our own programs, whatever else the clause does.
. "$LIB"
must_trace -n 'syscall:::entry, syscall:::return /pid == $target/ { this->s = strjoin(execname, "x"); @a[stack(3)] = count();
	@b[sym(caller)] = count(); @c[stackdepth > 0 && stackdepth < 40] = count(); }
	END { printa(@a); printa(@b); printa("depth %d %@d\n", @c); }' -c "$TRIGGERS/syscalls 5"
[ "$(grep -c 'vmlinux`' out)" -ge 3 ] || fail "no kernel frames"
grep -qE '(^|[` ])(bpf_|rt_|__traceiter|__bpf_trace|perf_trace|clauses)' out && fail "frames of tracing are shown"
contains '^depth 1 '
grep -q '^depth 0' out && fail "a stack without frames"
true
# the same when a second program at the returns resumes entries that waited for memory
must_trace -n 'syscall::openat:entry /pid == $target/ { this->s = copyinstr(arg1); @a[stack(3)] = count(); @b[sym(caller)] = count(); }
	syscall::write:return, syscall::openat:return /pid == $target/ { @a[stack(3)] = count(); @b[sym(caller)] = count(); }' \
	-c "$TRIGGERS/paths open 5"
[ "$(grep -c 'vmlinux`' out)" -ge 3 ] || fail "no kernel frames beside a second program"
grep -qE '(^|[` ])(bpf_|rt_|__traceiter|__bpf_trace|perf_trace|clauses)' out && fail "frames of tracing are shown beside a second program"
true
