# What: each probe of processes and threads fires exactly as often as a program causes it, with the right arguments.  Needs: btf.
. "$LIB"
cat >test.d <<'END'
proc:::create /progenyof($target)/ { @n["create", args[0]->pr_fname] = count(); @n["parent", args[0]->pr_ppid == $target ? "right" : "wrong"] = count(); }
proc:::lwp-create /progenyof($target)/ { @n["lwp-create", args[0]->pr_name] = count(); @n["its process", args[1]->pr_fname] = count(); }
proc:::start /progenyof($target)/ { @n["start", execname] = count(); }
proc:::lwp-start /progenyof($target)/ { @n["lwp-start", execname] = count(); }
proc:::exec /progenyof($target)/ { @n["exec", execname] = count(); }
proc:::exec-failure /progenyof($target)/ { @n["exec-failure", args[0] == ENOENT ? "ENOENT" : "other"] = count(); }
proc:::exec-success /progenyof($target)/ { @n["exec-success", execname] = count(); }
proc:::lwp-exit /progenyof($target)/ { @n["lwp-exit", execname] = count(); }
proc:::exit /progenyof($target)/ { @n["exit", args[0] == CLD_EXITED ? "EXITED" : args[0] == CLD_KILLED ? "KILLED" : args[0] == CLD_DUMPED ? "DUMPED" : "other"] = count(); }
END { printa("%s %s %@d\n", @n); }
END
must_trace -s test.d -c "$TRIGGERS/lives exit 5 kill 3 leader 4 threads 7 exec 6 failed 3"
LC_ALL=C sort out | sed '/^$/d' >sorted
# 21 children, 7 threads and 4 second threads; the program itself ends, too
cat >wanted <<'END'
create lives 21
exec lives 9
exec-failure ENOENT 3
exec-success true 6
exit EXITED 19
exit KILLED 3
its process lives 32
lwp-create lives 32
lwp-exit lives 27
lwp-exit true 6
lwp-start lives 32
parent right 21
start lives 21
END
diff wanted sorted >differences || { cat differences; fail "other counts"; }
