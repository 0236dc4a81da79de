# What: -l with globs, columns, ids; rows in the order of their ids.
. "$LIB"
must_trace -l -n 'syscall::open*:entry'
same "$(head -n 1 out)" '   ID   PROVIDER            MODULE                          FUNCTION NAME' header
for call in open openat open_by_handle_at; do
	grep -Eqx " *[0-9]+ +syscall +vmlinux +$call entry" out || fail "$call"
done
grep -v '^   ID' out | grep -vq ' open.* entry$' && fail "more than asked for"
grep -v '^   ID' out | awk '{ print $1 }' | sort -nc || fail "order"
must_trace -l -P dtrace
for row in '    1     dtrace                                                     BEGIN' \
	'    2     dtrace                                                     END' \
	'    3     dtrace                                                     ERROR'; do
	grep -qxF "$row" out || fail "no row $row"
done
