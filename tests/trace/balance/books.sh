# What: printed + reported as dropped = fired, to the last one, whatever the buffer.
. "$LIB"
for size in 8k 64k 4m; do
	trace -b $size -n 'syscall::getppid:entry /pid == $target/ { @fired = count(); }
		syscall::getppid:entry /pid == $target/ { printf("r %d %d %s %d %d\n", tid, cpu, execname, arg0, timestamp); }
		END { printa("fired %@d\n", @fired); }' -c "$TRIGGERS/burst 200000"
	same "$status" 0 "status with -b $size"
	n=$(counted getppid)
	same "$(sed -n 's/^fired //p' out)" "$n" "firings with -b $size"
	same $(($(grep -c '^r [0-9]* [0-9]* burst [0-9-]* [0-9]*$' out) + $(drops))) "$n" "printed and dropped with -b $size"
	same "$(grep -c '^r' out)" "$(grep -c '^r [0-9]* [0-9]* burst [0-9-]* [0-9]*$' out)" "whole records with -b $size"
	grep '^r' out | awk '$6 < last { wrong++ } { last = $6 } END { exit wrong > 0 }' || fail "order of time with -b $size"
	[ "$size" != 8k ] || [ "$(drops)" -gt 0 ] || echo "note: no drops with 8k"
	rm -f counts
done
