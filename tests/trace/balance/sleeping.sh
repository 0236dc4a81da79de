# What: tracing waits at its end for a firing that sleeps, and reports one that takes too long. Needs: uprobe.  Executors: kernel process.
. "$LIB"
"$TRIGGERS/absent" 0 || skip "no userfaultfd here"
script='pid$target::late:entry { began = 1; }
	pid$target::late:entry { printf("%s\n", copyinstr(arg0)); }
	tick-50ms /began/ { exit(0); }
	END { printf("end\n"); }'
must_trace -n "$script" -c "$TRIGGERS/absent 150"
same "$(tr '\n' ' ' <out)" "here at last end  " records
trace -n "$script" -c "$TRIGGERS/absent 20000"
same "$status" 0 status
same "$(tr '\n' ' ' <out)" "end  " records
contains '^dtrace: 1 firing still waited for memory when tracing ended$' err
