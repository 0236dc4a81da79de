# What: a pattern means all functions that it matches, but none of our own path; a name without the compiler's suffix is that function alone.  Needs: kprobe btf
. "$LIB"
must_trace -n 'fbt::vfs_*:entry /pid == $target/ { @[probefunc, probemod] = count(); }' -c '/bin/cat /etc/passwd'
contains '^ *vfs_read  *vmlinux  *[1-9]'
"$DTRACE" -ln 'fbt::bpf_*:entry, fbt::htab_*:entry, fbt::*copy_from_kernel_nofault*:entry' >out 2>err
grep -qE ' (bpf_probe_read_kernel|htab_map_update_elem|copy_from_kernel_nofault) ' out && fail "functions that programs call are matched by a pattern"
contains ' htab_map_alloc entry$'
"$DTRACE" -xdebug -ln 'fbt::copy_from_kernel_nofaul*:entry' >out 2>err || fail "$(cat err)"
grep -q 'copy_from_kernel_nofault:entry of vmlinux is left out: called by bpf_probe_read_kernel' err || fail "$(cat err)"
"$DTRACE" -ln 'fbt::*rcu_*:entry' >out 2>err || fail "$(cat err)"
contains ' rcu_core entry$'
grep -qE ' (__rcu_read_lock|__rcu_read_unlock|rcu_is_watching) entry' out && fail "functions of RCU that programs call are matched by a pattern"
"$DTRACE" -ln 'fbt::bpf_map_write_active:entry, fbt::vfs_read:' >out 2>err || fail "$(cat err)"
contains ' vfs_read entry$'
contains ' vfs_read return$'
"$DTRACE" -lvn 'fbt::vfs_read:entry' >out 2>err || fail "$(cat err)"
contains 'args\[0\]: struct file \*$'
contains 'args\[2\]: size_t$'
"$DTRACE" -lvn 'fbt::vfs_read:return' >out 2>err || fail "$(cat err)"
contains 'args\[1\]: ssize_t$'
"$DTRACE" -ln ':::entry' >out 2>err || fail "$(cat err)"
grep -q ' fbt ' out && fail "functions that nobody named"
"$DTRACE" -ln 'fbt::*.*:entry' >out 2>err || fail "$(cat err)"
dotted=$(awk '$NF == "entry" { print $4; exit }' out)
"$DTRACE" -xerrtags -n "fbt::$dotted:entry { trace(args[0]); }" >out 2>err && fail "args[] of $dotted"
grep -q D_ARGS_IDX err || fail "$(cat err)"
# -x fbtalias: the name without the suffix, too
"$DTRACE" -ln "fbt::${dotted%%.*}:entry" >out 2>err
grep -qF " $dotted entry" out && fail "$dotted without its suffix"
"$DTRACE" -xfbtalias -ln "fbt::${dotted%%.*}:entry" >out 2>err || fail "$(cat err)"
grep -qF " $dotted entry" out || fail "$dotted is not meant"
if "$DTRACE" -ln 'fbt::link_path_walk.*:entry' 2>err | grep -q ' entry$'; then
	must_trace -xfbtalias -n 'fbt::link_path_walk:entry /pid == $target/ { @[probefunc] = count(); }' -c '/bin/cat /etc/passwd'
	contains '^ *link_path_walk\..*[1-9]'
fi
exit 0
