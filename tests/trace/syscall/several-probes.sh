# What: where a system call's entry fires several probes, paths in absent memory are read at each of them, with the clauses after, once;
# also where the clauses are many programs.  Needs: btf.
. "$LIB"
mkdir providers
cat >providers/mine.prov <<'END'
provider mine {
	probe first (long path) { on syscall openat entry (int at, long name) { path = name; } }
	probe second (long path) { on syscall openat entry (int at, long name) { path = name; } }
	probe third (long path) { on syscall openat, openat2 entry (int at, long name) { path = name; } }
}
END
read_at() { # PROBE WORD - a clause that reads, and one after it
	echo "$1 /pid == \$target/ { this->now = timestamp; this->at = \"$2\"; this->path = copyinstr(arg$3); this->told = 1; }
		$1 /pid == \$target && this->told && strstr(this->path, \"/nowhere/\") != NULL/ { @[this->at, this->path, this->now != 0] = count(); }"
}
program="$(read_at mine:::second second 0) $(read_at syscall::openat:entry call 1) $(read_at mine:::first first 0)
	$(read_at mine:::third third 0) syscall::openat:return /pid == \$target && errno == ENOENT/ { @[\"return\", \"\", 1] = count(); }"
many=$(seq 300 | sed 's|.*|mine:::first /pid == \$target \&\& arg0 == 1/ { n[&] = tid * 5 + pid; s = strjoin(execname, "&"); }|')
for other in '' "$many"; do
	must_trace -xprovdir=providers -n "$program $other" -c "$TRIGGERS/paths open 80"
	for at in first second third call; do
		for i in 0 1 2 3 4 5 6 7; do
			grep -q "^ *$at  */nowhere/$i  *1  *10\$" out || fail "$at /nowhere/$i ${other:+in many programs}"
		done
	done
	grep -q '^ *return  *1  *[89][0-9]$' out || fail "returns"
done
# An execve() that succeeds has other memory at its end.
must_fault -n 'proc:::exec /target/ { @["exec", copyinstr(arg0)] = count(); } sysinfo:::sysexec /target/ { @["sysexec", ""] = count(); }
	syscall::execve:entry /target/ { @["execve", copyinstr(arg0)] = count(); }' -c "$TRIGGERS/paths exec 20"
contains '^ *exec  */nowhere/0  *20$'
contains '^ *execve  */nowhere/0  *20$'
contains '^ *sysexec  *40$'
