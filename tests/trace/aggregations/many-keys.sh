# What: 200,000 keys: every one is read, none twice, and the sums are the target's.  Needs: uprobe.
. "$LIB"
must_trace -x aggsize=64m -n 'pid$target::some_function:entry { @[arg0] = sum(arg0); }' -c "$TRIGGERS/calls 200000"
same "$(awk 'NF == 2 { n++; if ($1 != $2) bad++; sum += $2; if ($1 <= last) bad++; last = $1 } END { print n + 0, bad + 0, sum }' out)" \
	"$(counted some_function) 0 $(counted sum)" "keys, wrong ones, sum"
