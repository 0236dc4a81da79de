# What: system(), freopen(), ftruncate() and setopt() are done in their place among the records.
. "$LIB"
must_trace -w -n 'BEGIN { printf("one\n"); system("echo %s; echo %d", "two", 3); printf("four\n");
	system("exit 7"); system("kill -9 $$"); printf("five\n"); exit(0); }'
same "$(tr '\n' ' ' <out)" "one two 3 four five  " output
must_trace -w -n 'BEGIN { freopen("f%d", 1); printf("a\n"); freopen("f2"); printf("b\n");
	freopen("f1"); printf("c\n"); freopen(""); printf("d\n"); freopen(""); exit(0); }'
same "$(tr '\n' ' ' <f1)" "a c " "the first file"
same "$(cat f2)" b "the second file"
same "$(tr '\n' ' ' <out)" "d  " "standard output"
must_trace -w -o f3 -n 'BEGIN { printf("lost\n"); ftruncate(); printf("kept\n"); exit(0); }'
same "$(tr '\n' ' ' <f3)" "kept  " "the file that was emptied"

trace -w -n 'BEGIN { freopen("/nowhere/%s", "x"); printf("still here\n"); exit(0); }'
same "$(head -n 1 out)" "still here" "output after a failure"
contains 'couldn.t freopen() "/nowhere/x": No such file or directory$' err

# Lines of the default mode go where the output goes at that moment; "" restores it, "" by a format, too.
"$DTRACE" -w -n 'BEGIN { trace("1"); freopen("f4"); trace("2"); } BEGIN { trace("3"); freopen("%s", ""); trace("4"); } BEGIN { trace("5"); exit(0); }' >out 2>err
same "$(tr -s ' \n' ' ' <f4 | sed 's/ [01] 1 :BEGIN/ BEGIN/g')" " 2 BEGIN 3 " "a line's beginning in one file, its end in the other"
same "$(tail -n +2 out | tr -s ' \n' ' ' | sed 's/ [0-9]* 1 :BEGIN/ BEGIN/g')" " BEGIN 1 4 BEGIN 5 " "standard output"
# Impossible names: output stays where it was; this is not a fault that ERROR sees.
trace -w -n 'BEGIN { freopen("f5"); freopen("%s", "."); freopen("/"); printf("here\n"); freopen("f5"); printf("and here\n"); exit(0); } ERROR { printf("no"); }'
same "$(tr '\n' '/' <f5)" "here/and here//" "output after failures, with the newline of the end"
same "$(sed 's/.*BEGIN): //' err | tr '\n' '/')" "couldn't freopen() \".\": Is a directory/couldn't freopen() \"/\": Is a directory/" failures
# Aggregations of the end follow the last freopen(); -o is the first output; commands write to ours.
trace -w -o f6 -n 'BEGIN { printf("a\n"); freopen("f7"); printf("b\n"); freopen(""); printf("c\n"); system("echo straight; echo loud >&2"); }
	END { freopen("f7"); @ = count(); } BEGIN { exit(0); }'
same "$(cat err)" loud "what it complained about"
same "$(tr '\n' ' ' <f6)" "a c " "-o file"
same "$(tr -s ' \n' ' ' <f7)" "b 1 " "the other file"
same "$(cat out)" straight "what the command wrote"
# ftruncate(): a redirected file, with and without O_APPEND; no pipe, no device.
"$DTRACE" -q -n 'BEGIN { printf("lost\n"); ftruncate(); printf("kept\n"); exit(0); }' >f8
same "$(tr '\n' ' ' <f8)" "kept  " "a redirected file"
"$DTRACE" -q -n 'BEGIN { printf("lost\n"); ftruncate(); printf("again\n"); ftruncate(); ftruncate(); printf("last\n"); exit(0); }' >>f8
same "$(tr '\n' ' ' <f8)" "last  " "a file that is appended to"
same "$("$DTRACE" -q -n 'BEGIN { printf("a "); ftruncate(); printf("b\n"); exit(0); }' 2>err | cat)" "a b" "a pipe"
"$DTRACE" -q -n 'BEGIN { printf("a "); ftruncate(); exit(0); }' >/dev/null 2>err || fail "a device"
[ -s err ] && fail "told of what is no file"
# In ERROR, with its arguments; a command's order among records of other clauses.
must_fault -w -n 'BEGIN { printf("before\n"); } BEGIN { x = *(int *)16; } ERROR { system("echo fault %d at %x", arg4, arg5); printf("after\n"); exit(0); }'
same "$(tr '\n' '/' <out)" "before/fault 1 at 10/after//" "a command in ERROR"
