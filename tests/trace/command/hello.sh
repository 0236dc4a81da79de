# What: the first example; columns, the notice, the newline at the end.
. "$LIB"
"$DTRACE" -n 'BEGIN { printf("hello\n"); exit(0); }' >out 2>err || fail "status $?"
sed -n 1p out | grep -qx 'CPU     ID                    FUNCTION:NAME' || fail "header"
sed -n 2p out | grep -Eqx ' +[0-9]+      1                           :BEGIN hello' || fail "record"
same "$(wc -l <out)" 4 "lines"
same "$(cat err)" "dtrace: description 'BEGIN ' matched 1 probe" "notice"
