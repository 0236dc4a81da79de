# What: -x executor=process runs BEGIN, END, ERROR and tick on the memory of the process, as root and as nobody.  Needs: setpriv.
# Executors: usual (it names them).
. "$LIB"
cp "$DTRACE" dtrace
chmod 755 . dtrace
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --no-new-privs \
		timeout 60 ./dtrace -x executor=process "$@" >out 2>err
	status=$?
}
cat >script.d <<-'END'
	int n; string s; int a[int]; self int mine;
	BEGIN { s = strjoin("one", " two"); a[3] = strlen(s); self->mine = 7; which = speculation(); }
	BEGIN { speculate(which); printf("speculated\n"); }
	BEGIN { commit(which); }
	BEGIN { printf("%s %d %d %s\n", substr(s, 4), a[3], self->mine, basename("/usr/bin/x")); }
	BEGIN { trace(*(int *)8); }
	ERROR { printf("fault %d of action %d at %x\n", arg4, arg3, arg5); }
	tick-10ms /n < 20/ { @[n % 3, s] = count(); @q = quantize(n); @a = avg(n); n++; }
	tick-10ms /n == 20/ { printa("%d %s %@d\n", @); trunc(@, 1); n++; }
	tick-400ms { exit(n); }
	END { printf("end %d\n", n); }
END
trace -s script.d
[ "$status" -eq 21 ] || fail "status $status of the kernel"
mv out by-kernel
for command in '' 'sleep 20' ; do
	trace -x executor=process -s script.d ${command:+-c "$command"}
	[ "$status" -eq 21 ] || fail "status $status as root ($command)"
	cmp out by-kernel || fail "another output than the kernel's ($command)"
	as_nobody -q -s script.d ${command:+-c "$command"}
	[ "$status" -eq 21 ] || fail "status $status as nobody ($command)"
	cmp out by-kernel || fail "another output than the kernel's, as nobody ($command)"
done
# The command's own output, its status, its end.
as_nobody -q -n 'BEGIN { @ = count(); printf("begin\n"); } END { printf("end\n"); }' -c 'sh -c "sleep 0.2; echo between"'
[ "$status" -eq 0 ] || fail "status $status"
same "$(tr -s ' \n' ' ' <out)" "begin between end 1 " "begin, the command, end"
# All of it is mapped, and the process has no descriptor more.
as_nobody -q -n 'BEGIN { }' -c 'sh -c "cat /proc/\$\$/maps; ls -l /proc/\$\$/fd; true"'
[ "$(grep -c memfd:dtrace out)" -eq 1 ] || fail "the shared memory is not mapped once"
contains 'rw-s .*/memfd:dtrace (deleted)' out
# An aggregation that is read while a record is shown, straight from the memory.
must_trace -x executor=process -x temporal=off -qn 'BEGIN { @ = count(); printf("before "); printa("%@d ", @); printf("after\n"); }' -c true
contains 'before 1 after' out
