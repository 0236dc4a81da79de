# What: functions of the kernel as events of a formula: at a return the parameters are those of the entry; self values.  Needs: kprobe btf
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe begun (long size) {
		on func vfs_read (struct file *file, char *buffer, size_t count) { size = count; }
	}
	probe done (string name, long size, long result, int seen) {
		on func vfs_read return (struct file *file, char *buffer, size_t count) = got {
			name = stringof(file->f_path.dentry->d_name.name);
			size = count;
			result = got;
			seen = self.seen;
		}
	}
	probe marked () {
		on func vfs_read (struct file *file, char *buffer, size_t count) when count == 123 {
			self.seen = 7;
			keep;
		}
	}
	probe like (int a) { on func vfs_rea[d] () { a = 5; } }
	probe wrong () { on func vfs_rea[d] (struct file *f); }
	probe either () {
		on func no_such_function ();
		else on func vfs_read ();
	}
}
END
command="/bin/sh -c 'read line </proc/version; exec dd if=/dev/zero of=/dev/null bs=123 count=57 status=none'"
must_trace -xprovdir=providers -n 'mine:::begun /pid == $target && args[0] == 123/ { @["begun", arg0] = count(); }
	mine:::done /pid == $target && args[1] == 123 && args[0] == "zero"/ { @["done", args[2]] = count(); @["seen", args[3]] = count(); }
	mine:::done /pid == $target && args[1] != 123/ { @["not seen", args[3]] = count(); }
	mine:::like /pid == $target/ { @["like", args[0]] = count(); }
	fbt::vfs_read:entry /pid == $target/ { @["all", 5] = count(); }
	mine:::either /pid == $target/ { @["either", 5] = count(); }' -c "$command"
contains '^ *begun  *123  *57$'
contains '^ *done  *123  *57$'
contains '^ *seen  *7  *57$'
contains '^ *not seen  *0  '
all=$(awk '$1 == "all" { print $3 }' out)
contains "^ *like  *5  *$all\$"
contains "^ *either  *5  *$all\$"
"$DTRACE" -xprovdir=providers -lvvn 'mine:::' >out 2>err || fail "$(cat err)"
contains 'Events: function vfs_read entry, function vfs_read return'
contains 'Not on this kernel: providers/mine.prov line .*the arguments of vfs_read, which a pattern means, are not known'
contains 'Not chosen: providers/mine.prov line .*there is no function no_such_function'
