# What: system calls of `ls -lR` by name: the same numbers as strace -c.  Needs: strace.
. "$LIB"
tree=/usr/share/doc
[ -d $tree ] || tree=/usr/share
strace -c -o strace.out ls -lR $tree >/dev/null 2>&1 || skip "strace cannot run here"
"$DTRACE" -q -o out -n 'syscall:::entry /pid == $target/ { @[probefunc] = count(); }' -c "ls -lR $tree" >/dev/null 2>err
same "$?" 0 status
[ -s err ] && fail "messages"
# exit_group has no count in strace, the execve of the child itself is before our start, and brk and
# mmap depend on where things lie
names='execve|exit_group|brk|mmap|munmap|total|syscall|-+'
awk 'NF >= 4 { print $NF, $4 }' strace.out | grep -Evw "^($names)" | sort >wanted
awk 'NF == 2' out | grep -Evw "^ *($names)" | awk '{ print $1, $2 }' | sort >got
[ "$(wc -l <wanted)" -gt 5 ] || fail "too few kinds of calls"
diff -u wanted got || fail "the counts differ"
