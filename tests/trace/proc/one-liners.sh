# What: one-liners for processes: new programs by name, who starts what, how a process ended.  Needs: btf.
. "$LIB"
must_trace -n 'proc:::exec-success /progenyof($target)/ { trace(execname); }' -c "$TRIGGERS/lives exec 2"
same "$(tr -d ' \n' <out)" truetrue "programs"
must_trace -n 'proc:::create /progenyof($target)/ { @[execname, args[0]->pr_fname] = count(); }' -c "$TRIGGERS/lives exit 3"
contains '^ *lives  *lives  *3$'
must_trace -n 'proc:::exec-success /progenyof($target)/ { @[curpsinfo->pr_psargs] = count(); }' -c "$TRIGGERS/lives exec 2"
contains '^ *true  *2$'
must_trace -n 'proc:::exec-failure /progenyof($target)/ { printf("%s %d\n", execname, args[0]); }' -c "$TRIGGERS/lives failed 1"
contains '^lives 2$'
# the path of a program that is not there; of one that is, the memory of the path is gone at the return
trace -n 'proc:::exec /progenyof($target)/ { @[stringof(args[0])] = count(); }' -c "$TRIGGERS/lives failed 2"
contains '^ */nonexistent/program  *2$'
must_trace -n 'proc:::start { self->start = timestamp; } proc:::exit /self->start && progenyof($target)/ { @["alive"] = count(); @ns = sum(timestamp > self->start); }' \
	-c "$TRIGGERS/lives exit 4"
same "$(value_of alive)" 4 "lives measured"
