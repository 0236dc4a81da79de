# What: sizes of libc's malloc as a histogram; the count of 3 MiB is the target's. Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -n 'pid$target:libc:malloc:entry { @ = quantize(arg0); }' -c "$TRIGGERS/mallocs 300"
same "$(awk '$1 == 2097152 { print $NF }' out)" "$(counted malloc)" "allocations of 3 MiB"
