# What: latency from entry to return by a thread-local variable; the histogram holds every read.  Needs: strace.
. "$LIB"
strace -c -o strace.out "$TRIGGERS/syscalls" 3000 2>&1 || skip "strace cannot run here"
wanted=$(awk '$NF == "read" { print $4 }' strace.out)
must_trace -x evaltime=exec -n 'syscall::read:entry /pid == $target/ { self->t = timestamp; }
	syscall::read:return /self->t/ { @["ns"] = quantize(timestamp - self->t); self->t = 0; }' -c "$TRIGGERS/syscalls 3000"
contains '^  ns *$'
contains '^           value  ------------- Distribution ------------- count    $'
same "$(awk '$2 ~ /^\|/ { n += $NF } END { print n }' out)" "$wanted" "reads in the histogram"
