# What: a process that /proc hides (mount option hidepid) is reported as hidden, not as absent; and a missing /proc is
# reported.
# Needs: uprobe unshare setpriv.  Executors: kernel process.
. "$LIB"
sleep 60 &
hidden=$!
trap 'kill $hidden' EXIT
export hidden
unshare -m sh -c 'mount -t proc -o hidepid=invisible proc /proc || exit 77
	cp "$DTRACE" dtrace && chmod 755 dtrace . &&
	exec setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all,+bpf,+perfmon --ambient-caps -all,+bpf,+perfmon \
		--bounding-set -all,+bpf,+perfmon ./dtrace -qn "pid$hidden:libc::entry"' >out 2>err
[ $? -eq 77 ] && skip "no hidepid here"
contains "failed to grab process $hidden: it is there, but /proc hides it" err
trace -n 'pid999999999:libc::entry'
contains 'failed to grab process 999999999: no such process' err
unshare -m sh -c 'mount -t tmpfs none /proc && exec "$DTRACE" -qn "pid$hidden:libc::entry"' >out 2>err
contains "failed to grab process $hidden: /proc is not mounted here" err
