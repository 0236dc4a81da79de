# What: an interrupt while system() runs is not lost: one ends tracing after the command, two at once.
. "$LIB"
background -w -n 'BEGIN { system("echo $$ >child; exec sleep 1"); printf("after\n"); } tick-10s { exit(9); }'
until_true 5 test -s child || fail "the command did not start"
kill -INT "$pid"
wait "$pid"
same $? 0 status
contains '^after$'
rm child
background -w -n 'BEGIN { system("echo $$ >child; exec sleep 100"); }'
until_true 5 test -s child || fail "the second command did not start"
kill -INT "$pid"
sleep 0.7
gone "$pid" && fail "one interrupt ended it"
until_true 5 interrupted || fail "two interrupts did not end it"
kill "$(cat child)"
# With many waiting commands: one ^C stops the probes at once and the requested commands are still run; two end them, too.
background -w -n 'tick-20ms { n++; system("echo %d >>done; sleep 0.1", n); } END { printf("%d\n", n); }'
enough() { [ -e done ] && [ "$(wc -l <done)" -ge 5 ]; }
until_true 20 enough || fail "the commands did not start"
kill -INT "$pid"
wait "$pid"
same $? 0 status
same "$(wc -l <done)" "$(grep "[0-9]" out)" "commands run"
rm done
background -w -n 'tick-20ms { n++; system("echo %d >>done; sleep 0.1", n); } END { printf("ended\n"); }'
until_true 20 enough || fail "the commands did not start again"
kill -INT "$pid"
sleep 0.7
until_true 5 interrupted || fail "two interrupts did not end it"
ran=$(wc -l <done)
sleep 0.5
same "$(wc -l <done)" "$ran" "commands after the second interrupt"
grep -q ended out && fail "END was printed"
# In BEGIN, too.
rm -f done
background -w -n 'BEGIN { system("echo >>done; sleep 0.1"); system("echo >>done; sleep 0.1"); system("echo >>done; sleep 0.1"); system("sleep 100"); }
	BEGIN { system("echo never >>done"); }' -c "$TRIGGERS/syscalls 1"
until_true 20 test -s done || fail "BEGIN's commands did not start"
kill -INT "$pid"
sleep 0.7
until_true 5 interrupted || fail "two interrupts did not end BEGIN"
grep -q never done && fail "more of BEGIN was done"
same "$(cat err)" "dtrace: left at once: not printed: 1 record" "what was lost"
