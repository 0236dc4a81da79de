# What: anon=run takes a file that only root or its own user can write; anonpin may end in slashes; -v reports on what -a claims.  Needs: unshare setpriv.
. "$LIB"
own_pins
trace -A -o saved -n 'BEGIN { trace("one"); } profile-1 { n++; }'
run() {
	trace -x anonfile="$1" -x anonpin=/sys/fs/bpf/a/anon// -x anon=run
}
refused() {
	run "$1"
	same "$status" 1 "status of $1"
	contains "$2" err
	[ -e /sys/fs/bpf/a ] && fail "something is pinned"
}
cp saved his && chown 65534 his
refused his 'his belongs to user 65534, and its programs would run as root: .* chown'
cp saved wide && chmod 620 wide
refused wide 'others may write wide, and its programs would run as root: .* chmod go-w'
chmod 606 wide
refused wide 'others may write wide'
ln -s his link
refused link 'link belongs to user 65534'
mkdir folder
refused folder 'folder is not a regular file'
mkfifo pipe
refused pipe 'pipe is not a regular file'

chmod 644 saved
run saved
same "$status" 0 "status of anon=run"
[ -e /sys/fs/bpf/a/anon/link-0 ] || fail "nothing is pinned in /sys/fs/bpf/a/anon"
run saved
contains 'is running already' err
trace -a -e -v -x anonpin=/sys/fs/bpf/a/anon/
same "$status" 0 "status of -a"
same "$(grep -c 'Stability attributes for description BEGIN' out)" 1 reports
contains 'Minimum Statement Attributes' out
contains 'one' out

run saved
trace -x anonpin=/sys/fs/bpf/a/anon/ -x anon=stop
same "$status" 0 "status of anon=stop"
[ -e /sys/fs/bpf/a ] && fail "something stays"
exit 0
