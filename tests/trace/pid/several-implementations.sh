# What: a function whose implementation is chosen at run time is found by its name and by patterns.  Needs: uprobe.
. "$LIB"
trace -c "$TRIGGERS/calls 100 1" -n 'pid$target:libc:strlen:entry { @ = count(); }'
same "$status" 0 "status: $(cat err)"
grep -Eq '^ +[1-9][0-9]*$' out || fail "strlen was never seen"

trace -l -n 'pid$target:libc::entry' -c true
# with libc's debug symbols (libc6-dbg) the implementations have their own names
if ! grep -q ' __strlen_[a-z0-9]* entry' out; then
	for function in strlen memcpy memset strcmp strchr memmove; do
		contains " libc.so.6  *$function entry" out
	done
fi
trace -n 'pid$target:libc:str[l]en:entry, pid$target:libc:strlen:entry { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' -c "$TRIGGERS/calls 100 1"
same "$(grep -c '^strlen ' out)" 1 "strlen by pattern and by name is one probe"

# code in the kernel's vdso has no place for a probe: reported by name
trace -n 'pid$target:libc::entry { @ = count(); }' -c true
contains '^dtrace: time of libc.so.6 cannot be probed: .*vdso' err
contains '^dtrace: .*gettimeofday of libc.so.6 cannot be probed: .*vdso' err
contains '^dtrace: [0-9]* probes that a pattern matches are left out' err
trace -n 'pid$target:libc:time:entry { }' -c true
contains "failed to create entry probe for 'time': its code is in the vdso" err
