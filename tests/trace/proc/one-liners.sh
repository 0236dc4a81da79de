# What: one-liners for processes: new programs by name and with their arguments, who starts what, who sends which signal to whom, how a process ended.  Needs: btf.
. "$LIB"
must_trace -n 'proc:::exec-success /progenyof($target)/ { trace(execname); }' -c "$TRIGGERS/lives exec 2"
same "$(tr -d ' \n' <out)" truetrue "programs"
must_trace -n 'proc:::create /progenyof($target)/ { @[execname, args[0]->pr_fname] = count(); }' -c "$TRIGGERS/lives exit 3"
contains '^ *lives  *lives  *3$'
must_trace -n 'proc:::exec-success /progenyof($target)/ { @[curpsinfo->pr_psargs] = count(); }' -c "$TRIGGERS/lives exec 2"
contains '^ *true  *2$'
must_trace -n 'proc:::exec-failure /progenyof($target)/ { printf("%s %d\n", execname, args[0]); }' -c "$TRIGGERS/lives failed 1"
contains '^lives 2$'
# with arguments, by the one that started it
cat >script <<'S'
/bin/echo one 'two three' >/dev/null
/bin/true -x
exit 0
S
must_trace -n 'proc:::exec-success /ppid == $target/ { printf("%s: %s\n", execname, curpsinfo->pr_psargs); }' -c "/bin/sh script"
LC_ALL=C sort out | sed '/^$/d' >sorted
printf 'echo: /bin/echo one two three\ntrue: /bin/true -x\n' | cmp -s - sorted || fail "programs with arguments"
must_trace -n 'proc:::signal-send /progenyof($target) && args[2] != SIGCHLD/ { @[execname, args[1]->pr_fname, args[2]] = count(); }' -c "$TRIGGERS/lives kill 3"
contains '^ *lives  *lives  *9  *3$'
# the path of a program that is not there; of one that is, the memory of the path is gone at the return
trace -n 'proc:::exec /progenyof($target)/ { @[stringof(args[0])] = count(); }' -c "$TRIGGERS/lives failed 2"
contains '^ */nonexistent/program  *2$'
must_trace -n 'proc:::start { self->start = timestamp; } proc:::exit /self->start && progenyof($target)/ { @["alive"] = count(); @ns = sum(timestamp > self->start); }' \
	-c "$TRIGGERS/lives exit 4"
same "$(value_of alive)" 4 "lives measured"
