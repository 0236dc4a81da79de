# What: probes fire and the target runs while a command of BEGIN still does; BEGIN's output comes first.
. "$LIB"
# The command of BEGIN is itself traced.
must_trace -w -n 'BEGIN { printf("begins\n"); system("/bin/true"); }
	syscall::exit_group:entry /ppid == $pid/ { printf("seen\n"); exit(0); } tick-10s { exit(1); }'
same "$(tr -s '\n' ' ' <out)" "begins seen " "output"
# The command ends only when the target has begun.
must_trace -w -c "sh -c 'touch runs; $TRIGGERS/syscalls 1'" -n '
	BEGIN { printf("first\n"); system("for i in $(seq 100); do [ -e runs ] && echo runs && break; sleep 0.1; done"); printf("last of BEGIN\n"); }
	syscall::exit_group:entry /pid == $target || ppid == $target/ { n++; }
	END { printf("then END: %d\n", n > 0); }'
same "$(tr -s '\n' ' ' <out)" "first runs last of BEGIN then END: 1 " "output with a target"
# What fires meanwhile is printed after all that BEGIN left, also if records are not sorted.
for temporal in on off; do
	must_trace -w -x temporal=$temporal -n 'BEGIN { system("sleep 0.3"); printf("BEGIN\n"); }
		tick-20ms /n++ < 3/ { printf("tick\n"); } tick-500ms { exit(0); }'
	same "$(tr -s '\n' ' ' <out)" "BEGIN tick tick tick " "output with temporal=$temporal"
done
# exit() in BEGIN: nothing else fires.
must_trace -w -n 'BEGIN { system("/bin/true"); exit(0); } syscall::exit_group:entry /ppid == $pid/ { printf("seen\n"); }
	END { printf("end\n"); }'
same "$(tr -s '\n' ' ' <out)" "end " "output after exit()"
exit 0
