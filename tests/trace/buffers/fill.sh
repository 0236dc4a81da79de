# What: bufpolicy=fill ends tracing when a buffer is full; the oldest records and END's are printed.
. "$LIB"
command -v taskset >/dev/null || skip "taskset is not installed"
# On one CPU: a target that is moved begins to fill another buffer.
cpu=$(taskset -cp $$ | sed 's/.*[:,-] *//')
trace -x bufpolicy=fill -b 16k -n 'BEGIN { printf("begin\n"); }
	syscall::getppid:entry /pid == $target/ { printf("r %d\n", n++); }
	END { printf("end %d\n", n); }' -c "taskset -c $cpu $TRIGGERS/burst 20000"
same "$status" 0 status
same "$(head -n 1 out)" begin "first line"
records=$(grep -c '^r' out)
contains "^end $records\$"
[ "$records" -gt 300 ] && [ "$records" -le 409 ] || fail "$records records in 16k"
grep '^r' out | awk '$2 != n++ { exit 1 }' || fail "not the oldest"
contains '^dtrace: [0-9]* drops\{0,1\} on CPU' err
[ "$(drops)" -lt 5 ] || fail "went on after the buffer was full"
# nothing is printed before the end, and what fits is all printed
must_trace -x bufpolicy=fill -n 'BEGIN { printf("begin "); } syscall::getppid:entry /pid == $target/ { printf("r%d ", n++); } END { printf("end"); }' -c "$TRIGGERS/burst 5"
same "$(tr -d '\n' <out)" "begin r0 r1 r2 r3 r4 end" records
trace -x bufpolicy=fill -n 'BEGIN { printf("only "); exit(3); } END { printf("this"); }'
same "$status $(tr -d "\n" <out)" "3 only this" "exit() in BEGIN"
# END's records must fit, all together
trace -x bufpolicy=fill -b 4k -x strsize=1k -n 'END { trace(copyinstr(0)); } END { trace(copyinstr(0)); } END { trace(copyinstr(0)); } END { trace(copyinstr(0)); }'
same "$status" 1 "status with a large END"
contains 'END enablings exceed size of principal buffer' err
