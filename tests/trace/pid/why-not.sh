# What: why a process has no functions to probe: ended, ended meanwhile, the kernel's, another user's,
# stripped, a library to come.  Kernel addresses without names: why.  Needs: uprobe setpriv.  Executors: kernel process.
. "$LIB"
trace -n 'pid$target:::entry' -p 2
same "$status" 1 "a kernel thread"
contains 'failed to grab process 2: it is a thread of the kernel, which runs no program$' err

(true & exec sleep 60) &
parent=$!
trap 'kill $parent $child 2>/dev/null' EXIT
zombie_of() {
	for stat in /proc/[0-9]*/stat; do
		case $(sed 's/.*) //' "$stat" 2>/dev/null) in
		"Z $1 "*) zombie=$(basename "$(dirname "$stat")") && return 0 ;;
		esac
	done
	return 1
}
until_true 10 zombie_of $parent || fail "no zombie"
trace -n "pid$zombie:::entry"
contains "failed to grab process $zombie: it has ended$" err
trace -n 'BEGIN' -p "$zombie"
contains "failed to grab pid $zombie: it has ended$" err

# The process ends between compilation and attachment: dtrace waits for the reader of its dump.
sleep 60 &
child=$!
is_sleep() {
	[ "$(cat /proc/$child/comm)" = sleep ]
}
until_true 10 is_sleep
mkfifo dump
for i in $(seq 1 300); do
	echo 'pid$target:libc:read:entry { @['$i'] = count(); }'
done >many.d
"$DTRACE" -xdump=asm -qs many.d -p "$child" 2>dump &
pid=$!
exec 9<dump
head -c 1000 <&9 >/dev/null
kill "$child"
wait "$child"
grep '^dtrace: ' <&9 >err
wait "$pid"
same "$?" 1 "status with a process that ended"
contains "process $child ended while its probes were put in place$" err

# Another user's, without CAP_SYS_PTRACE.
cp "$DTRACE" dtrace && chmod 755 dtrace
unprivileged() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all,+bpf,+perfmon --ambient-caps -all,+bpf,+perfmon \
		--bounding-set -all,+bpf,+perfmon ./dtrace -q "$@" >out 2>err
}
for description in pid$parent:libc:read:entry pid$parent:::entry; do
	unprivileged -n "$description"
	contains "failed to grab process $parent: its [a-z ]* cannot be [a-z]*: needs CAP_SYS_PTRACE, or to be its owner$" err
done
unprivileged -n 'profile-997 { @[sym(arg0)] = count(); } tick-100ms { exit(0); }'
grep -q 0x out && contains 'addresses of the kernel have no names: .*kptr_restrict.*CAP_SYSLOG' err

cp "$TRIGGERS/calls" bare && strip bare || skip "no strip"
for description in :some_function :zork* a.out:zork* a.out:some_function; do
	trace -n "pid\$target:$description:entry" -c './bare 1'
	contains ": bare is stripped, only functions that it exports have names (fde:\* means the others)$" err
done
trace -n 'pid$target:libx:f:entry' -c "$TRIGGERS/calls 1"
contains 'has no module libx yet: -Z waits for it; it has calls, libc.so.6, ' err
trace -ln 'pid$target:libx:f:entry' -c "$TRIGGERS/calls 1"
contains 'has no module libx yet: use -p once it is loaded; it has calls, libc.so.6, ' err
