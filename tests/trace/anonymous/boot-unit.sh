# What: -A without -o writes the default file and a unit that systemd understands, and takes both away again.  Needs: unshare.
. "$LIB"
own_pins
mkdir etc
cp -a /etc/. etc/ 2>/dev/null
rm -rf etc/dtrace
mkdir -p etc/systemd/system
mount --bind etc /etc || skip "cannot mount over /etc here"
trace -A -n 'BEGIN { trace("at boot"); }'
same "$status" 0 status
same "$(sed "s,run '.*',run '...'," err)" "dtrace: saved anonymous enabling in /etc/dtrace/anonymous.d/saved
dtrace: added boot unit /etc/systemd/system/dtrace-anonymous.service
dtrace: run '...' or reboot to enable changes" messages
unit=/etc/systemd/system/dtrace-anonymous.service
wanted=/etc/systemd/system/sysinit.target.wants/dtrace-anonymous.service
cmp -s "$wanted" "$unit" || fail "the unit is not wanted at boot"
if command -v systemd-analyze >/dev/null; then
	systemd-analyze verify --man=no "$unit" 2>&1 | grep dtrace-anonymous >out && fail "systemd has something to say"
fi
# run the unit's command
start=$(sed -n 's/^ExecStart=//p' "$unit")
sh -c "$start" 2>err || fail "what the unit runs"
trace -ae
same "$(cat out)" "at boot" output
sh -c "$start" 2>err
sh -c "$(sed -n 's/^ExecStop=-//p' "$unit")" 2>err || fail "what stops it"
[ -e /sys/fs/bpf/dtrace ] && fail "something is pinned"
trace -A
same "$(cat err)" "dtrace: cleaned up old anonymous enabling in /etc/dtrace/anonymous.d/saved
dtrace: cleaned up boot unit $unit" messages
[ -e "$unit" ] || [ -L "$wanted" ] && fail "the unit is still there"
[ -e /etc/dtrace/anonymous.d ] && fail "an empty folder is left"
trace -x anon=run
same "$status" 1 "status without a file"
contains 'anonymous.d/saved: No such file' err
