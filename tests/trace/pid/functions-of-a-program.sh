# What: all functions of the program itself, counted by name.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -n 'pid$target:a.out::entry { @[probefunc] = count(); }' -c "$TRIGGERS/calls 500"
n=$(counted some_function)
for f in some_function outer inner with_text; do
	same "$(value_of $f)" "$n" "$f"
done
same "$(value_of main)" 1 main
