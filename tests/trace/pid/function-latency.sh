# What: latency of a function by its entry and return.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -n 'pid$target::outer:entry { self->t = timestamp; }
	pid$target::outer:return /self->t/ { @[probefunc] = quantize(timestamp - self->t); @n = count(); self->t = 0; }' \
	-c "$TRIGGERS/calls 500"
contains '^  outer *$'
same "$(awk '$2 ~ /^\|/ { n += $NF } END { print n }' out)" "$(counted some_function)" "in the histogram"
