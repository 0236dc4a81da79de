# What: equal texts are one key, whatever longer ones stood in the same memory before.
. "$LIB"
paths=
for length in 40 9 33 8 1 31 7 16 15 24; do
	paths="$paths /$(printf "%0${length}d" 0)"
done
must_trace -n 'syscall::openat:entry /pid == $target/ { @[copyinstr(arg1)] = count(); }
	syscall::openat:entry /pid == $target/ { seen[pid, copyinstr(arg1)]++; @most = max(seen[pid, copyinstr(arg1)]); }
	END { printa("most %@d\n", @most); }' \
	-c "sh -c 'exec cat $paths $paths $paths 2>/dev/null'"
for path in $paths; do
	[ "$(grep -Ec "^  $path +3\$" out)" = 1 ] || fail "one key for $path, counted three times"
done
contains '^most 3$'
