# What: a bad user address: one message a firing, the clause ends, tracing continues. Needs: uprobe.  Executors: kernel process.
. "$LIB"
trace -n 'pid$target::take:entry { @fired = count(); } pid$target::take:entry { printf("%s\n", copyinstr(arg0)); @after = count(); }
	END { printa("fired %@d\n", @fired); printa("after %@d\n", @after); }' -c "$TRIGGERS/pointers bad 5"
same "$status" 0 status
same "$(grep -c 'error on enabled probe ID .*pid[0-9]*:pointers:take:entry.*: invalid address (0x8) in action #' err)" 5 messages
contains '^fired 5$'
grep -q '^after' out && fail "the clause went on"
# where nothing is mapped no advice helps
trace -n 'BEGIN { trace(*(int *)0x7f0000001000); } BEGIN { trace(copyinstr(0x7f0000001000)); } tick-1ms { exit(0); }'
same "$(grep -c 'invalid address (0x7f0000001000) in action #1 (line 1): the process, which is dtrace itself, has no memory there$' err)" 2 'addresses of nothing'
if [ "$EXECUTOR" != process ]; then # registers of dtrace
	trace -n 'BEGIN { trace(*(int *)uregs[R_SP]); } tick-1ms { exit(0); }'
	contains 'invalid address (0x[0-9a-f]*) .*: user memory is read by copyin(), copyinstr() and userland pointers, but this probe fires in dtrace itself' err
fi
# probes of functions bring pages in: no advice about those
trace -n 'pid$target::take:entry { trace(*(int *)uregs[R_SP]); }' -c "$TRIGGERS/pointers bad 1"
contains 'invalid address (0x[0-9a-f]*) .*: user memory is read by copyin(), copyinstr() and userland pointers$' err
trace -n 'pid$target::take:entry { trace(copyinstr(0x7f0000001000)); }' -c "$TRIGGERS/pointers bad 1"
contains 'invalid address (0x7f0000001000) in action #1 (line 1): the process has no memory there$' err
[ "$EXECUTOR" = process ] && exit
# the advice is in the first message of its kind, and later ones are short
trace -n 'BEGIN { trace(*(int *)uregs[R_SP]); } BEGIN { trace(*(int *)(uregs[R_SP] + 8)); }
	pid$target::take:entry { trace(*(int *)uregs[R_SP]); } END { trace(*(int *)uregs[R_SP]); }' -c "$TRIGGERS/pointers bad 2"
same "$(grep -c 'error on enabled probe' err)" 5 messages
same "$(grep -c 'but this probe fires in dtrace itself' err)" 1 'messages with the advice'
same "$(grep -c 'user memory is read by' err)" 2 'messages with any advice'
contains ') in action #1 (line 2)$' err
