# What: -l shows static probes of a process, -lv the types that the operands' sizes say; names that do not fit are explained; damaged notes spoil nothing else.  Needs: uprobe.
. "$LIB"
must_trace -ln 'trig$target:::' -c "$TRIGGERS/statics"
contains ' trig[0-9]* *statics *first_sites sites$'
contains ' trig[0-9]* *statics *one_more_site sites$'
contains ' trig[0-9]* *statics *texts text-given$'
must_trace -lvn 'trig$target:::memory,trig$target:::plain,trig$target::one_more_site:sites' -c "$TRIGGERS/statics"
for type in '0\]: uint64_t' '1\]: int32_t' '2\]: uint16_t' '3\]: int8_t' '4\]: uint64_t' '0\]: int32_t'; do
	contains "^		args\[$type\$"
done
contains '^		None$'
must_trace -ln '*$target:::' -c "$TRIGGERS/statics"
contains ' trig[0-9]* *statics *texts plain$'

refused() {
	description=$1
	shift
	trace "$@" -n "$description { n++; }" -c "$TRIGGERS/statics"
	same "$status" 1 "status of $description"
}
refused 'trug$target:::'
contains 'no file of process [0-9]* has such static probes; its providers are trig (-Z waits' err
refused 'trig$target:libc.so.6::'
contains 'module libc.so.6 of process [0-9]* has no static probes' err
refused 'trig$target:::twelf'
contains 'did you mean trig[0-9]*:::twelve?' err
refused 'trig$target:::twelve { trace(args[12]); } trig$target:::plain'
contains 'args\[12\] does not exist: the probe has 12 typed arguments' err
trace -n 'trig0:::plain'
contains 'trig0 does not contain a valid pid' err
trace -n 'trig999999999:::plain'
contains 'there is no process 999999999' err

# The same program, its notes truncated in the middle: the notes before are found, and the rest is reported.
objcopy -O binary --only-section=.note.stapsdt --set-section-flags .note.stapsdt=alloc "$TRIGGERS/statics" notes || fail "no notes"
head -c 300 notes >short
objcopy --update-section .note.stapsdt=short "$TRIGGERS/statics" damaged 2>/dev/null || fail "cannot cut"
trace -n 'trig$target::: { @[probename] = count(); } pid$target:a.out:twelve:entry { @["entry"] = count(); }
	END { printa("%s %@d\n", @); }' -c ./damaged
same "$status" 0 "status with damaged notes"
contains '^signed 1$'
contains '^entry 1$'
contains 'some static probe of damaged cannot be probed: section .note.stapsdt is damaged at byte [0-9]* of 300' err
exit 0
