# What: however many functions there are, their entries are one link, their returns another; as few calls of bpf(2) as for some.  Needs: kprobe btf
. "$LIB"
has_feature kprobe_multi || skip "without kprobe.multi each function has a perf event"
[ -e /sys/kernel/tracing/available_filter_functions_addrs ] || [ -e /sys/kernel/debug/tracing/available_filter_functions_addrs ] ||
	skip "this kernel does not say where functions are probed (Linux 6.5): those of one name may need links of their own"
# The command is a child of dtrace, whose descriptors it looks at.
cat >links <<'END'
#!/bin/sh
cat /proc/"$PPID"/fdinfo/* 2>/dev/null | grep -c 'link_type:.*kprobe_multi'
END
chmod +x links
links_of() { # DESCRIPTION
	timeout 200 "$DTRACE" -qn "$1 { @ = count(); }" -o counts -c ./links >out 2>err || fail "$1: $(cat err)"
	sed -n 1p out
}
same "$(links_of 'fbt::vfs_*:entry')" 1 "links for entries of some functions"
same "$(links_of 'fbt::vfs_*:')" 2 "links for entries and returns of some functions"
same "$(links_of 'fbt:::entry')" 1 "links for all entries"
if command -v strace >found; then
	calls_of() { # DESCRIPTION
		timeout 300 strace -f -qq -e trace=bpf,perf_event_open -o calls "$DTRACE" -qn "$1 { @ = count(); } BEGIN { exit(0); }" >out 2>err ||
			fail "$1: $(cat err)"
		wc -l <calls
	}
	some=$(calls_of 'fbt::vfs_*:entry') all=$(calls_of 'fbt:::entry')
	[ "$some" -gt 5 ] || fail "$some calls for some functions"
	[ "$all" -le $((some + 10)) ] || fail "$all calls for all functions, $some for some"
fi
# Of functions of one name only some can be probed: nothing is said of the others.
"$DTRACE" -xdebug -n 'fbt::s_*:entry { @ = count(); } BEGIN { exit(0); }' >out 2>err || fail "$(cat err)"
grep 'left out: cannot attach' err && fail "refused by the kernel"
exit 0
