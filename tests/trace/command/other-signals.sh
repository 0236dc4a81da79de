# What: SIGQUIT ends at once, other deadly signals end in order; signals that were ignored at the start stay so; a child's death by a signal is reported.
. "$LIB"
program='BEGIN { printf("ready\n"); } END { printf("end\n"); }'
ended_by() { # ended_by SIGNAL - the status in $status
	rm -f log
	env --default-signal "$DTRACE" -q -o log -n "$program" >out 2>err &
	pid=$!
	until_true 10 grep -qs ready log || fail "never started"
	kill "-$1" "$pid"
	wait "$pid"
	status=$?
}
ended_by QUIT
same "$status" 0 "status after SIGQUIT"
grep -q '^end' log && fail "END ran after SIGQUIT"
contains '^dtrace: left at once: END has not run$' err
for signal in HUP ALRM USR2 VTALRM PROF XCPU 16 29 30 34 64; do # STKFLT IO PWR RTMIN RTMAX
	ended_by $signal
	same "$status" 0 "status after SIG$signal"
	contains '^end$' log
done

for signal in INT TERM QUIT HUP ALRM USR1 USR2; do
	rm -f log
	env --ignore-signal=$signal "$DTRACE" -q -o log -n "$program" -c "sleep 1" >out 2>err &
	pid=$!
	until_true 10 grep -qs ready log || fail "never started"
	kill "-$signal" "$pid"
	wait "$pid"
	same "$?" 0 "status when SIG$signal is ignored"
	contains '^end$' log
	same "$(cat err)" "" "messages"
done

"$DTRACE" -n 'BEGIN { }' -c "sh -c 'kill -TERM \$\$'" >out 2>err
same "$?" 0 "status after a child's death"
contains '^dtrace: pid [0-9]* terminated by SIGTERM$' err
"$DTRACE" -q -x childstatus -n 'BEGIN { }' -c "sh -c 'kill -TERM \$\$'" >out 2>err
same "$?" 143 "status with childstatus"
