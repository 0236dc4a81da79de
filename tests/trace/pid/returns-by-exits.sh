# What: with pidret=insn a return has its offset, and the result is the same. Needs: uprobe.
. "$LIB"
must_trace -c "$TRIGGERS/calls 4" -x pidret=insn \
	-n 'pid$target:a.out:outer:return { printf("%d %d\n", arg0 > 0 && arg0 < 1000, arg1); }'
same "$(tr '\n' ' ' <out)" "1 22 1 43 1 64 1 85  " "offset and result"
must_trace -c "$TRIGGERS/calls 4" -x pidret=kernel \
	-n 'pid$target:a.out:outer:return { printf("%d %d\n", arg0, arg1); }'
same "$(tr '\n' ' ' <out)" "-1 22 -1 43 -1 64 -1 85  " "no offset, but the result"
