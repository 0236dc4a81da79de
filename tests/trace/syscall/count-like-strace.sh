# What: system calls of `ls -lR` by name: the same numbers as strace -c.  Needs: strace.
. "$LIB"
tree=/usr/share/doc
[ -d $tree ] || tree=/usr/share
strace -c -o strace.out ls -lR $tree >/dev/null 2>&1 || skip "strace cannot run here"
"$DTRACE" -q -x evaltime=exec -o out -n 'syscall:::entry /pid == $target/ { @[probefunc] = count(); }' -c "ls -lR $tree" >/dev/null 2>err
same "$?" 0 status
[ -s err ] && fail "messages"
# evaltime=exec: from the first instruction on, as strace sees it.  Its execve is before our start,
# and the end of the process has no count in strace.
names='execve|exit_group|total|syscall'
awk 'NF >= 4 && $4 ~ /^[0-9]+$/ { print $NF, $4 }' strace.out | grep -Evw "^($names)" | sort >wanted
awk 'NF == 2 { print $1, $2 }' out | grep -Evw "^($names)" | sort >got
[ "$(wc -l <wanted)" -gt 5 ] || fail "too few kinds of calls"
diff -u wanted got || fail "the counts differ"
