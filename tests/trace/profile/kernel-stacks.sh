# What: profile-997hz with stack() where arg0 says that the kernel was interrupted.
. "$LIB"
must_trace -n 'profile-997hz /pid == $target && arg0/ { @[stack()] = count(); @n["kernel"] = count(); }
	profile-997hz /pid == $target && arg1/ { @n["user"] = count(); }' -c "$TRIGGERS/spin 1000 kernel"
# A thousand where no hypervisor takes the CPU away.
[ "$(value_of kernel)" -gt 50 ] || fail "$(value_of kernel) samples in the kernel"
[ "$(value_of kernel)" -gt "$(value_of user)" ] || fail "more in user mode"
grep -Eq '^              vmlinux`[a-zA-Z_0-9.]+(\+0x[0-9a-f]+)?$' out || fail "no kernel function"
contains 'vmlinux`.*read'
