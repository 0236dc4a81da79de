# What: children of fork and vfork that call a function at once are all traced, and theirs.  Needs: uprobe.
. "$LIB"
must_trace -x follow=fork -n 'pid$target:a.out:work:entry { @all = count(); @by[pid] = count(); @tree[target == $target, probeprov] = count(); }
	END { printa("all %@u\n", @all); printa("process %@u\n", @by); printa("tree %d %s %@u\n", @tree); }' -c "$TRIGGERS/family forks 500 pid"
contains '^all 10000$'
same "$(grep -c "^process 10$" out)" 1000 "processes with 10 calls"
contains "^tree 1 pid$(head -n 1 out) 10000\$"

# At once; returns are at the instructions that return, as strangers would get return probes of the kernel.
must_trace -x follow=fork -n 'pid$target:a.out:work:entry { self->n = arg0; }
	pid$target:a.out:work:return /arg1 == self->n + 1/ { @all = count(); } END { printa("all %@u\n", @all); }' \
	-c "$TRIGGERS/family call 5 storm 100"
contains '^all 1005$'
trace -x follow=fork -x pidret=kernel -n 'pid$target:a.out:work:return' -c "$TRIGGERS/family call 5"
same "$status" 1 "status with kernel return probes"
contains 'pidret=kernel' err

must_trace -x follow=all -n 'pid$target:a.out:work:entry { @all = count(); @by[pid] = count(); }
	END { printa("all %@u\n", @all); printa("process %@u\n", @by); }' -c "$TRIGGERS/family storm 1000"
contains '^all 10000$'
same "$(grep -c '^process 10$' out)" 1000 "processes with 10 calls, all at once"

# Without follow, children fire no probe.  Without uprobe_multi the kernel cannot tell a child of vfork() from its parent.
extra=100
has_feature uprobe_multi && extra=0
must_trace -n 'pid$target:a.out:work:entry { @all = count(); } END { printa("all %@u\n", @all); }' -c "$TRIGGERS/family call 5 forks 10"
contains "^all $((5 + extra))\$"
