# What: signals that are sent, ignored, handled and waited for, and faults, are counted exactly, with their numbers.  Needs: btf.
. "$LIB"
cat >test.d <<'END'
proc:::signal-send /progenyof($target) && args[2] != SIGCHLD/ { @n["send", args[2], args[1]->pr_fname] = count(); }
proc:::signal-discard /progenyof($target) && args[2] != SIGCHLD/ { @n["discard", args[2], args[1]->pr_fname] = count(); }
proc:::signal-handle /progenyof($target)/ { @n["handle", args[0], args[2] != NULL ? "handler" : "default"] = count(); }
proc:::signal-handle /progenyof($target) && (args[1]->si_signo != args[0] || args[1]->si_errno != 0)/ { @n["details of another signal", args[0], ""] = count(); }
proc:::signal-handle /progenyof($target) && args[0] == SIGKILL/ { @n["code", args[1]->si_code, "killed"] = count(); }
proc:::signal-clear /progenyof($target)/ { @n["clear", args[0], execname] = count(); }
proc:::fault /progenyof($target)/ { @n["fault", args[0], args[1]->si_signo == SIGSEGV ? "SIGSEGV" : args[1]->si_signo == SIGTRAP ? "SIGTRAP" : "SIGFPE"] = count(); }
proc:::signal-send /progenyof($target) && args[2] == SIGUSR1/ { @n["lwp", args[0]->pr_lwpid == $target, arg2 == SIGUSR1 ? "arg2" : "wrong"] = count(); }
END { printa("%s %d %s %@d\n", @n); }
END
divide='divide 1'
[ "$(uname -m)" = x86_64 ] || divide='' # no fault elsewhere
trace_often -s test.d -c "$TRIGGERS/lives kill 3 handle 4 ignore 5 wait 2 segv 2 $divide breakpoint 3"
LC_ALL=C sort out | sed '/^$/d' >sorted
# numbers of signals: HUP 1, TRAP 5, FPE 8, KILL 9, USR1 10, SEGV 11, USR2 12; faults: FLTBPT 3, FLTBOUNDS 6, FLTIZDIV 8
cat >wanted <<'END'
clear 1 lives 2
code 0 killed 3
discard 12 lives 5
fault 3 SIGTRAP 3
fault 6 SIGSEGV 2
fault 8 SIGFPE 1
handle 10 handler 4
handle 11 default 2
handle 5 default 3
handle 8 default 1
handle 9 default 3
lwp 1 arg2 4
send 1 lives 2
send 10 lives 4
send 11 lives 2
send 5 lives 3
send 8 lives 1
send 9 lives 3
END
[ -n "$divide" ] || sed -i '/^[a-z]* 8 /d' wanted
diff wanted sorted >differences || { cat differences; fail "other counts"; }
