# What: x[k]++ loses nothing although two threads do it at once.  Needs: uprobe two-cpus.
. "$LIB"
must_trace -n 'pid$target::step:entry { x[arg0]++; n++; @c = count(); }
	END { printf("%d %d\n", n, x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6]); }' -c "$TRIGGERS/threads 2 50000"
wanted=$(counted steps)
same "$(head -n 1 out | cut -d ' ' -f 2)" "$wanted" "sum of x[]"
