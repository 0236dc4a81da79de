# What: closed standard descriptors are not used for files that we open: nothing is written into the wrong file.
. "$LIB"
"$DTRACE" -q -n 'BEGIN { printf("a record\n"); exit(0); }' 2>err >&-
same "$?" 1 "status without standard output"
contains '^dtrace: failed to write to <stdout>: Bad file descriptor$' err
"$DTRACE" -o log -n 'BEGIN { trace("hi"); } BEGIN { x = *(int *)0; } BEGIN { exit(0); }' <&- >&- 2>&-
same "$?" 0 "status without any"
grep -q '^dtrace:' log && fail "messages among the records: $(cat log)"
contains 'hi' log
"$DTRACE" -q -o log2 -n 'BEGIN { printf("hi\n"); }' -c 'sh -c "[ -e /proc/self/fd/0 ] || echo closed >child"' <&-
same "$(cat child)" closed "standard input of the child"
