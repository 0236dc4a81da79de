# What: -ae prints the present data, runs END and exits; a second claim finds nothing. Saved options replace those of the claimer. Needs: unshare.
. "$LIB"
own_pins
commanded
trace -A -o saved -x bufsize=64k -n 'BEGIN { trace("begun"); } syscall::getppid:entry /pid == $1/ { @a[$1] = count(); }
	profile-97 { @ticks = count(); } END { printa("%@d\n", @a); clear(@a); printa("%@d ticks\n", @ticks); clear(@ticks); exit(5); }' "$child"
"$DTRACE" -x anonfile=saved -x anon=run 2>err || fail "status $?"
tell 777
sleep 0.3
"$DTRACE" -aex flowindent -x bufsize=junk >out 2>err && fail "a wrong option of the claimer is accepted"
"$DTRACE" -ae -x flowindent -o file 2>err >out
same $? 5 "status of exit() in END"
[ -s out ] && fail "output is not in the file"
mv file out
contains '777$'
[ "$(sed -n 's/ ticks$//p' out)" -ge 20 ] || fail "the profile probe stopped when its dtrace ended"
[ "$(grep -c begun out)" -eq 1 ] || fail "BEGIN"
grep -q 'CPU *ID' out && fail "quiet was saved"
trace -ae
same "$status" 1 "status without anything to claim"
same "$(cat err)" "dtrace: could not enable tracing: No anonymous tracing state" message
