# What: memory that is not resident yet is brought in by print() and tracemem() of a userland pointer, alone in a script.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -qn 'pid$target::take:entry { tracemem((userland char *)arg0, 16); }' -c "$TRIGGERS/pointers absent 2"
same "$(grep -c '0: 6e 6f 74 20 72 65 73 69 64 65 6e 74 20 75 6e 74  not resident unt$' out)" 2 "bytes shown"
must_trace -qn 'struct words { char first[4]; int second; };
	pid$target::take:entry { print((userland struct words *)arg0); }' -c "$TRIGGERS/pointers absent 2"
same "$(grep -c '\.second = (int)1769170290,$' out)" 2 "values printed"
