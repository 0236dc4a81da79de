# What: bufpolicy=ring keeps the newest records of each CPU, whole and in order, and END's; printed at the end.
. "$LIB"
command -v taskset >/dev/null || skip "taskset is not installed"
for temporal in on off; do
	must_trace -x bufpolicy=ring -x temporal=$temporal -b 64k -n 'BEGIN { printf("begin\n"); }
		syscall::getppid:entry /pid == $target/ { printf("r %d %s %s\n", n++, execname, probefunc); }
		END { printf("end %d\n", n); }' -c "taskset -c 0 $TRIGGERS/burst 20000"
	same "$(sed -n 's/^end //p' out)" 20000 fired
	grep '^r' out | sort -n -k 2 | awk '
		NR == 1 { first = $2 }
		$2 != first + NR - 1 || $3 != "burst" || $4 != "getppid" || NF != 4 { print "wrong: " $0; bad++ }
		END { print NR, "records from", first; exit bad || first + NR != 20000 || NR < 400 }' >result || fail "the newest records: $(cat result)"
	# BEGIN's has been overwritten if it ran on that CPU
	same "$(grep -v '^r' out | grep -v '^begin$' | tr -d '\n')" "end 20000" "what is not a record"
	rm -f counts
done
# little: nothing is overwritten
must_trace -x bufpolicy=ring -n 'BEGIN { printf("begin "); } syscall::getppid:entry /pid == $target/ { printf("r%d ", n++); } END { printf("end"); }' -c "$TRIGGERS/burst 5"
same "$(tr -d '\n' <out)" "begin r0 r1 r2 r3 r4 end" records
