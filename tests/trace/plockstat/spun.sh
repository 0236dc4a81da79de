# What: a thread that gets an adaptive mutex while it spins: mutex-spun says so, and there is no wait.  Needs: uprobe btf.
# Executors: kernel (it needs system calls of locks).
. "$LIB"
# The thread is interrupted where it has seen that the mutex is taken; meanwhile the other one gives it back.
cat >test.d <<'E2'
pid$target:a.out:name:entry { mutex = arg0; }
plockstat$target:::mutex-spin /arg0 == mutex/ { raise(SIGUSR1); }
plockstat$target:::mutex-* /arg0 == mutex/ { @[probename, arg1] = count(); }
END { printa("%s %d: %@d\n", @); }
E2
cat >wanted <<'E2'
mutex-acquire 0: 10
mutex-release 0: 10
mutex-spin 0: 5
mutex-spun 1: 5
E2
must_trace -w -s test.d -c "$TRIGGERS/adaptive 5"
same "$(counted rounds)" 5 "rounds in which the thread was interrupted"
sort out | grep . >sorted
cmp -s sorted wanted || fail "$(diff sorted wanted)"
