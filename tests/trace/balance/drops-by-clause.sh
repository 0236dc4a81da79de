# What: dropsby=clause reports the clause of each kind of loss; the sums are those reported by CPU.
. "$LIB"
told() { # KIND - as told in all; of KIND N - as told of clause N
	sed -n "s/^dtrace: \([0-9]*\) $1s\{0,1\}\( on CPU [0-9]*\)\{0,1\}\$/\1/p" err | awk '{ n += $1 } END { print n + 0 }'
}
of() {
	sed -n "s/^dtrace: of these, \([0-9]*\) $1s\{0,1\} in clause $2 (syscall::getppid:entry, line $3)\$/\1/p" err | awk '{ n += $1 } END { print n + 0 }'
}
script='BEGIN { s = speculation(); }
syscall::getppid:entry /pid == $target/ { printf("r %d\n", n++); }
syscall::getppid:entry /pid == $target/ { printf("R %d %s\n", N++, strjoin(execname, "!")); }
syscall::getppid:entry /pid == $target/ { @[m++] = count(); }
syscall::getppid:entry /pid == $target/ { a[k++] = 1; }
syscall::getppid:entry /pid == $target/ { speculate(s); trace(1); }'
trace -x dropsby=clause -b 4k -x aggsize=4k -x dynvarsize=8k -x specsize=1k -n "$script" -c "$TRIGGERS/burst 20000"
same "$status" 0 status
for kind in "aggregation drop:4" "dynamic variable drop:5" "speculative drop:6"; do
	n=$(told "${kind%:*}")
	[ "$n" -gt 1000 ] || fail "$kind: $n"
	same "$(of "${kind%:*}" "${kind#*:}" "${kind#*:}")" "$n" "$kind"
done
same $(($(of drop 2 2) + $(of drop 3 3))) "$(told drop)" "principal drops"
same $(($(grep -c '^r ' out) + $(of drop 2 2))) 20000 "records of the first"
same $(($(grep -c '^R ' out) + $(of drop 3 3))) 20000 "records of the second"
# Two committed at once, and the buffer has space for one: the other's records are drops of their clauses, whoever commits.
trace -x dropsby=clause -b 4k -x nspec=2 -n 'BEGIN { s = speculation(); S = speculation(); }
syscall::getppid:entry /pid == $target/ { speculate(s); trace(1); }
syscall::getppid:entry /pid == $target/ { speculate(S); trace(2); }
END { commit(s); commit(S); }' -c "$TRIGGERS/burst 90"
same "$(told drop)" 90 "records of the second speculation"
same "$(of drop 3 3)" 90 "those of its clause"
trace -b 4k -n "$script" -c "$TRIGGERS/burst 20000"
grep -q 'of these' err && fail "told without being asked"
exit 0
