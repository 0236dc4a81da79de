# What: instructions of the kernel as events of a formula: the call of one function in another, before and after it, an offset, the increments of a per-CPU counter.  Needs: kprobe btf
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe asked (long size, int same, int offset) {
		on call vfs_read in ksys_read # 1 (struct file *f, char *to, size_t n) { size = n; same = f != NULL; }
	}
	probe got (long size) { on call vfs_read in ksys_read # 1 after (ssize_t r) { size = r; } }
	probe begun () { on insn vfs_read + 0 ; }
	probe fault (long by) { on inc vm_event_states[PGFAULT] (long n) { by = n; } }
	probe bad1 () { on call vfs_write in ksys_read # 1; }
	probe bad2 () { on call vfs_read in ksys_read # 9; }
	probe bad3 () { on call vfs_read in no_such_function # *; }
	probe bad4 () { on insn vfs_read+1000000; }
	probe bad5 () { on insn vfs_read + 0 (long a); }
	probe bad6 () { on inc vm_event_states[NO_SUCH_ENUMERATOR]; }
	probe bad7 () { on inc no_such_variable[PGFAULT]; }
	probe bad8 () { on inc vm_event_states; }
	probe bad9 () { on inc vm_event_states[PGFAULT] (long n, long m); }
}
END
"$DTRACE" -xprovdir=providers -lvvn 'mine:::' >out 2>err || fail "$(cat err)"
contains 'Not on this kernel: providers/mine.prov line .*: ksys_read does not call vfs_write'
contains 'Not on this kernel: providers/mine.prov line .*: ksys_read does not call vfs_read 9 times'
contains 'Not on this kernel: providers/mine.prov line .*: there is no function no_such_function'
contains 'Not on this kernel: providers/mine.prov line .*: offset f4240 of vfs_read: it is outside of the function'
contains 'Not on this kernel: providers/mine.prov line .*: the event has only 0 arguments'
contains 'Not on this kernel: providers/mine.prov line .*: there is no enumerator NO_SUCH_ENUMERATOR'
contains 'Not on this kernel: providers/mine.prov line .*: inc is VARIABLE.ENUMERATOR., not vm_event_states'
# On other machines no single instruction increments a counter: nothing is found before.
[ "$(uname -m)" != x86_64 ] || contains 'Not on this kernel: providers/mine.prov line .*: the event has only 1 argument$'
grep -q bad7 out || fail "increments of a variable that does not exist"
must_trace -xprovdir=providers -n 'mine:::asked /pid == $target && args[0] == 123/ { @["asked", args[1]] = count(); }
	mine:::got /pid == $target && args[0] == 123/ { @["got", 0] = count(); }
	mine:::begun /pid == $target/ { @["begun", 0] = count(); }
	fbt::vfs_read:entry /pid == $target/ { @["entry", 0] = count(); }' -c "dd if=/dev/zero of=/dev/null bs=123 count=57 status=none"
contains '^ *asked  *1  *57$'
contains '^ *got  *0  *57$'
same "$(value_of begun)" "$(value_of entry)" "calls of vfs_read"
[ "$(value_of begun)" -ge 57 ] || fail "few calls of vfs_read"
if [ "$(uname -m)" != x86_64 ]; then
	"$DTRACE" -xprovdir=providers -lvvn mine:::fault >out 2>err
	contains 'not found in the code of this machine\|the kernel has no variable vm_event_states'
	exit 0
fi
trace -xprovdir=providers -n 'mine:::fault /pid == $target/ { @by["faults"] = sum(args[0]); } vminfo:::as_fault /pid == $target/ { @["events"] = count(); }' -c "python3 -c 'import mmap; m = mmap.mmap(-1, 4096 * 1000)
for i in range(1000): m[i * 4096] = 1'"
same "$status" 0 "status"
[ "$(value_of faults)" -ge 1000 ] || fail "$(value_of faults) faults"
[ "$(value_of faults)" -le $(($(value_of events) + 500)) ] || fail "$(value_of faults) faults, $(value_of events) events"
