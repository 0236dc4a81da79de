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
sleep 0.2
gone "$pid" && fail "one interrupt ended it"
kill -INT "$pid"
until_true 5 gone "$pid" || fail "two interrupts did not end it"
kill "$(cat child)"
