# What: thread-local variables are apart, and freed when their thread ends: no drop over 4000 threads.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -x dynvarsize=64k -n 'pid$target::begin:entry { self->number = arg0; self->seen = 1; }
	pid$target::finish:entry /self->seen/ { @right["right"] = sum(self->number == arg0); @all["all"] = count(); }' \
	-c "$TRIGGERS/threads 4000"
n=$(counted threads)
same "$(value_of all)" "$n" threads
same "$(value_of right)" "$n" "right values"
