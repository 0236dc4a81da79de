# What: -x executor=interpreter runs BEGIN, END, ERROR and tick as nobody, and makes no system call of tracing.  Needs: setpriv strace.
# Executors: kernel process.
. "$LIB"
cp "$DTRACE" dtrace
chmod 755 . dtrace
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all --no-new-privs \
		./dtrace -x executor=interpreter "$@" >out 2>err
	status=$?
}
# A program that uses much of the language, as the kernel runs it.
cat >script.d <<-'END'
	int n; string s; int a[int]; self int mine;
	BEGIN { s = strjoin("one", " two"); a[3] = strlen(s); self->mine = 7; which = speculation(); }
	BEGIN { speculate(which); printf("speculated\n"); }
	BEGIN { commit(which); }
	BEGIN { printf("%s %d %d %s\n", substr(s, 4), a[3], self->mine, basename("/usr/bin/x")); }
	BEGIN { trace(*(int *)8); }
	BEGIN { printf("%s\n", copyinstr(8)); }
	ERROR { printf("fault %d of action %d at %x\n", arg4, arg3, arg5); }
	tick-10ms /n < 20/ { @[n % 3, s] = count(); @q = quantize(n); @a = avg(n); n++; }
	tick-10ms /n == 20/ { printa("%d %s %@d\n", @); trunc(@, 1); n++; }
	tick-400ms { exit(n); }
	END { printf("end %d\n", n); }
END
must_trace_status() { [ "$status" -eq 21 ] || fail "status $status ($1)"; }
trace -s script.d
must_trace_status kernel
mv out by-kernel
grep -v -e 'error on enabled' err >errors-by-kernel
as_nobody -q -s script.d
must_trace_status interpreter
cmp out by-kernel || fail "the interpreter's output differs from the kernel's"
grep -v -e 'error on enabled' err | cmp - errors-by-kernel || fail "messages differ"
# Drops are counted, and by the same words.
as_nobody -q -x bufsize=4k -x bufpolicy=fill -n 'tick-1ms { printf("%200d\n", n++); }'
[ "$status" -eq 0 ] || fail "status $status with a full buffer"
contains '^dtrace: [0-9]* drop' err
as_nobody -q -x bufsize=4k -x bufpolicy=ring -n 'tick-200us { printf("%d\n", n++); } tick-400ms { exit(0); }'
[ "$(grep -c . out)" -le $(($(nproc --all) * 100)) ] || fail "the flight recorder kept more than it has room for"
[ "$(tail -n 2 out | head -n 1)" -ge "$(grep -c . out)" ] || fail "the newest records are not there"
# Others are refused by name, with the reason, and so is what only the kernel has.
as_nobody -n 'syscall::read:entry { }'
[ "$status" -eq 1 ] || fail "a system call was not refused"
contains 'syscall:vmlinux:read:entry: the interpreter runs BEGIN, END, ERROR and tick probes only' err
as_nobody -n 'profile-97 { }'
contains 'profile:::profile-97: it fires on every CPU' err
as_nobody -n 'BEGIN { trace(curthread->pid); }'
contains 'needs a function that only the kernel has, not the interpreter (curthread, curpsinfo, cwd or the like: current task' err
as_nobody -Z -c true -n 'pid$target:libnone.so:f:entry { }'
contains 'the interpreter cannot trace processes (-x executor)' err
# It has no return probes, which is known before descriptions are matched: the kernel's refuse setjmp().
as_nobody -x pidret=kernel -n 'BEGIN { exit(0); }'
[ "$status" -eq 1 ] || fail "pidret=kernel was not refused"
contains 'the interpreter has no return probes (pidret=insn' err
as_nobody -x pidret=kernel -c true -ln 'pid$target:libc.so.6:_setjmp:return'
contains ' _setjmp return' out
# Programs of any size have one part.
for i in $(seq 150); do
	echo "BEGIN { @[$i, probefunc, execname] = count(); printf(\"%d\", pid + $i); }"
done >large.d
as_nobody -x dump=plan -e -s large.d
contains '^program for begin, 1 event' err
! grep -q '^  part' err || fail "the interpreter's program has parts"
# No bpf(), no perf_event_open().
strace -f -o calls -e trace=bpf,perf_event_open ./dtrace -x executor=interpreter -qn 'BEGIN { @ = count(); } tick-10ms { exit(0); }' >out 2>err
[ -s out ] || fail "nothing under strace"
grep -E 'bpf|perf_event_open' calls && fail "system calls of tracing"
exit 0
