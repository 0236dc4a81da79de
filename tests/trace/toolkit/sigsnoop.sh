# What: sigsnoop shows each signal with sender and receiver, also those of the kernel.  Needs: btf.
. "$LIB"
tool sigsnoop -c "$TRIGGERS/lives handle 6 segv 2 exit 3"
same "$(awk '$3 == "lives" && $4 == "SIGUSR1" && $5 == $2 && $6 == "lives"' out | wc -l)" 6 "handled signals"
same "$(awk '$3 == "lives" && $4 == "SIGSEGV" && $5 == $2 && $6 == "lives"' out | wc -l)" 2 "faults"
contains '^lives  *SIGUSR1  *lives  *6$'
# from outside, to a child of the command
cat >waits.sh <<'END'
exec 2>/dev/null
sleep 20 &
echo $! >child
wait $!
END
cat >sends.sh <<'END'
n=0
while [ ! -s child ] && [ $((n += 1)) -le 100 ]; do sleep 0.1; done
sleep 1
kill -TERM "$(cat child)"
END
sh sends.sh &
tool sigsnoop -c "/bin/sh waits.sh"
wait $!
same "$(awk -v child="$(cat child)" '$4 == "SIGTERM" && $5 == child && $6 == "sleep"' out | wc -l)" 1 "signals to a child"
