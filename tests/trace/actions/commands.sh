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
