# What: exece and other names of calls that are the same here are aliases, genunix and unix are the
# kernel; names of calls that differ are refused.
# Needs: btf.
. "$LIB"
cat > d.d <<'D'
syscall::exece:entry, syscall::exece:return, syscall:genunix:read_nocancel:entry
/pid == $target/
{
	@[probemod, probefunc, probename] = count();
}
D
must_trace -q -s d.d -c '/bin/sh -c "exec cat /dev/null"'
contains '^ *vmlinux *execve *entry *[1-9]'
contains '^ *vmlinux *execve *return *[1-9]'
contains '^ *vmlinux *read *entry *[1-9]'

must_trace -l -n 'sched:unix::on-cpu'
contains '^ *[0-9]* *sched *vmlinux *on-cpu$'
for d in syscall:genunix:nosuchcall:entry syscall::lwp_create:entry syscall::uadmin:entry; do
	trace -n "$d"
	contains "probe description $d does not match any probes" err
done
