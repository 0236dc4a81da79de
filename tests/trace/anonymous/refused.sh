# What: state of another program, or of another tool, is refused with a message, continues, and can be stopped; so is a second run. Needs: unshare setpriv.
. "$LIB"
own_pins
trace -A -o saved -n 'BEGIN { trace("one"); } profile-1 { n++; }'
trace -A -o other -n 'BEGIN { trace("two"); } profile-1 { @ = count(); }'
start() {
	trace -x anonfile="$1" -x anonpin=/sys/fs/bpf/"$2"/anon -x anon=run
	same "$status" 0 "status of anon=run"
}
refused() {
	trace -a -x anonpin=/sys/fs/bpf/a/anon
	same "$status" 1 "status of -a"
	contains "$1" err
	contains "anon=stop ends it" err
	[ -e /sys/fs/bpf/a/anon/link-0 ] || fail "what could not be claimed is gone"
}
start saved a
start other b
trace -x anonfile=other -x anonpin=/sys/fs/bpf/a/anon -x anon=run
same "$status" 1 "status of a second run"
contains 'is running already' err

mv /sys/fs/bpf/b/anon/saved-0 /sys/fs/bpf/a/anon/saved-0
refused 'do not compile to the running code'
mv /sys/fs/bpf/a/anon/layout-0 /sys/fs/bpf/a/anon/saved-0
refused 'cannot be claimed'
mv /sys/fs/bpf/a/anon/state-0 /sys/fs/bpf/a/anon/saved-0
refused 'cannot be claimed'
mv /sys/fs/bpf/a/anon/program-0 /sys/fs/bpf/a/anon/saved-0
refused 'cannot be claimed'
rm /sys/fs/bpf/a/anon/saved-0
refused 'saved-0'

trace -x anonpin=/sys/fs/bpf/a/anon -x anon=stop
same "$status" 0 "status of anon=stop"
trace -x anonpin=/sys/fs/bpf/b/anon -x anon=stop
same "$(find /sys/fs/bpf -mindepth 1 -not -name '*.debug')" "" "what is left"
for executor in interpreter process; do
	trace -A -o ended -x executor=$executor -n 'BEGIN { trace("three"); } tick-1 { n++; }'
	same "$status" 1 "status of -A by the $executor"
	contains "the $executor cannot continue without dtrace" err
	[ -e ended ] && fail "a file was written for the $executor"
done
trace -x anon=stop
same "$status" 1 "status of anon=stop without anything"
contains 'No anonymous tracing state' err

setpriv --reuid=65534 --clear-groups --bounding-set=-all "$DTRACE" -a 2>err
same $? 1 "status without privileges"
contains 'could not enable tracing: DTrace requires additional privileges' err

# together with programs: never
for claim in '-a' '-x grabanon'; do
	trace $claim -n 'BEGIN { exit(0); }'
	same "$status" 1 "status with programs"
	contains "^dtrace: could not enable tracing: Can't claim anonymous state and enable probes" err
done
trace -n '#pragma D option grabanon
BEGIN { exit(0); }'
same "$status" 1 "status with a pragma"

# no BPF file system, or one with a folder of another user
trace -x anonfile=saved -x anonpin="$PWD/anon" -x anon=run
same "$status" 1 "status outside of a BPF file system"
contains 'no BPF file system is mounted' err
mkdir /sys/fs/bpf/his
chown 65534 /sys/fs/bpf/his
trace -x anonfile=saved -x anonpin=/sys/fs/bpf/his/anon -x anon=run
same "$status" 1 "status in another user's folder"
contains 'belongs to user 65534' err

# a folder that is not a BPF file system is not emptied, whatever -x anonpin is
mkdir kept && echo kept > kept/file
trace -x anonpin="$PWD/kept" -x anon=stop
same "$status" 1 "status of anon=stop outside of a BPF file system"
contains 'no BPF file system is mounted' err
same "$(cat kept/file)" kept "a file of others"

# pins of other tools stay, next to ours and in the mount's root; their folder is not ours
start saved c
mv /sys/fs/bpf/c/anon/program-0 /sys/fs/bpf/c/anon/program-of-others
mv /sys/fs/bpf/c/anon/state-0 /sys/fs/bpf/state-0
trace -x anonpin=/sys/fs/bpf -x anon=stop
same "$status" 1 "status of anon=stop in the mount's root"
[ -e /sys/fs/bpf/state-0 ] || fail "a pin in the mount's root is gone"
trace -x anonpin=/sys/fs/bpf/c/anon -x anon=stop
same "$status" 1 "status of anon=stop beside others' pins"
contains 'Directory not empty' err
same "$(ls /sys/fs/bpf/c/anon)" program-of-others "what is left there"
mkdir /sys/fs/bpf/d-anon
chown 65534 /sys/fs/bpf/d-anon
for use in -a '-x anon=stop'; do
	trace $use -x anonpin=/sys/fs/bpf/d-anon
	same "$status" 1 "status of $use, another user's folder in the mount's root"
	contains 'd-anon belongs to user 65534' err
done
