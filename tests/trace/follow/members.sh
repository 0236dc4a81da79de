# What: the variable target is the process in whose tree a process is; trees that run one file are told apart.  Needs: uprobe.
. "$LIB"
must_trace -n 'syscall::exit_group:entry /target/ { @[target == $target ? "first" : "second", pid == target] = count(); }
	END { printa("%s %d %@u\n", @); }' -c "$TRIGGERS/family run 5 /bin/true" -c "$TRIGGERS/family run 7 /bin/true"
same "$(grep . out | sort | tr '\n' ';')" "first 0 5;first 1 1;second 0 7;second 1 1;" "exits by tree"

# A stranger that runs the file, and calls the function all the time, fires none of their probes.
mkfifo gate
"$TRIGGERS/family" busy <gate &
stranger=$!
exec 4>gate
is_family() { grep -qs '/family$' "/proc/$stranger/maps"; } # it is static
until_true 10 is_family || fail "no stranger"
rm out
"$DTRACE" -x follow=fork -o out -n 'pid$target:a.out:work:entry { @[target == $target, probeprov] = count(); }
	pid$target:a.out:work:entry /pid == $target/ { }
	END { printf("\n"); printa("%d %s %@u\n", @); }' -c "$TRIGGERS/family pid forks 50" -c "$TRIGGERS/family forks 70" 2>err >pid
kill -0 $stranger || fail "the stranger is gone"
exec 4>&-
wait $stranger
contains "^1 pid$(cat pid) 1000\$"
contains '^0 pid[0-9]* 1400$'
same "$(grep -c pid out)" 2 "rows"
contains "warning: line 2: pid == \$target is true in process $(cat pid) only" err
contains 'warning: 1 process that is not followed runs [^ ]*/family, too' err

trace -x follow=fork -n 'BEGIN { printf("%d\n", target); exit(0); }'
contains '^0$'
contains 'warning: follow has no effect, because no process was given' err
contains 'warning: target is always 0, because no process was given' err
