# What: descriptions that match nothing: the reason, and a suggestion; with their tags.
try() {
	echo "$ dtrace $*"
	"$DTRACE" -e -x errtags "$@"
	echo "status $?"
}
try -n 'syscal::read:entry'
try -n 'syscall::raed:entry'
try -n 'syscall::read:enter'
try -n 'syscall:read:entry'
try -n 'syscall:entry'
try -n 'syscall::read'
try -n 'syscall'
try -n BEGN
try -n begin
try -n 'plockstat::vfs_read:entry'
try -n 'm*b::vfs_read:entry'
try -n 'profile-199us'
try -Z -n 'tick-5001hz'
echo '$ dtrace -n (escape codes for a terminal, shown as %S shows them)'
"$DTRACE" -e -n "$(printf 'BEGIN { \033[31m\007 }')"
try -n 'pid0:::entry'
try -n 'pid$target:::entry'
try -n 'pid$targt:::entry'
try -n 'pid999999999:::entry'
try -n 'BEGIN { trace($tagret); }'
try -n 'BEGIN { trace($1); }' one two
try -n 'syscall:::entry { trace(args[0]); }' -n 'tick-1s { trace(args[0]); }'
try -Z -n 'syscall::raed:entry'
try -i 0
try -i 3-1
try -i 1-3
# As other systems list them.
try -n 'proc:genunix:exec_common:exec'
try -n 'sched:unix::nothing'
try -n 'syscall::exece:return'
try -n 'syscall::fork1:entry,syscall::pollsys:entry'
try -n 'syscall::write_nocancel:entry'
try -n 'syscall::exec:'
try -n 'syscall::forkk:entry'
try -n 'fsinfo:::read'
# Rates: the units, and mistakes.
try -n tick-5x
try -n tick
try -n profile-0
try -n tickle
try -Z -n tick-5x
# Without -c and -p.
try -n 'BEGIN /pid == $target/ { trace($target); }'
# Static probes of programs.
try -n 'python99999999:::function-entry'
try -n 'node$target:::gc-start'
# The same hints for a list.
for d in syscall::pollsys:entry fsinfo:::read kprobe:vfs_read; do
	echo "$ dtrace -ln $d"
	"$DTRACE" -ln "$d"
	echo "status $?"
done
