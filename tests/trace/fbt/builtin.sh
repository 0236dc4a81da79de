# What: a module that is a part of the kernel means its functions in vmlinux, as modules.builtin.ranges lists them; none without such a list.  Needs: kprobe btf python3
. "$LIB"
mkdir modules
python3 - <<'END' >modules/modules.builtin.ranges || fail "no list"
symbols = sorted((int(w[0], 16), w[2]) for w in map(str.split, open("/proc/kallsyms")) if len(w) == 3)
text, first = next((a, name) for a, name in symbols if name in ("_text", "_stext"))
at = next(a for a, name in symbols if name == "vfs_read")
end = next(a for a, name in symbols if a > at)
print(".text 00000000-00000000 =", first)
print(".text %08x-%08x kernel_reads other" % (at - text, end - text))
END
# Modules of that list, and a name that is not in it.
"$DTRACE" -x modpath=modules -ln 'fbt:kernel_reads::' >out 2>err || fail "$(cat err)"
awk 'NR > 1 { print $2, $3, $4, $5 }' out | sort >listed
printf 'fbt vmlinux vfs_read entry\nfbt vmlinux vfs_read return\n' | diff - listed >&2 || fail "not the functions of the list"
"$DTRACE" -x modpath=modules -en 'fbt:other:vfs_write:entry' >out 2>err && fail "a function outside of the list"
"$DTRACE" -x modpath=modules -en 'fbt:another::' >out 2>err && fail "a module that is not in the list"
grep -q 'no module another is loaded' err || fail "$(cat err)"
"$DTRACE" -x modpath=/none -en 'fbt:kernel_reads::' >out 2>err && fail "a module without a list"
grep -q 'no module kernel_reads is loaded' err || fail "$(cat err)"
# It fires as by its own name; the module of the probe stays the kernel.
must_trace -x modpath=modules -n 'fbt:kernel_reads:vfs_*:entry /pid == $target/ { @by[probemod, probefunc] = count(); }
	fbt:vmlinux:vfs_read:entry /pid == $target/ { @all = count(); }' -c '/bin/cat /etc/passwd'
by=$(awk '$1 == "vmlinux" && $2 == "vfs_read" { print $3 }' out) all=$(awk 'NF == 1 && $1 ~ /^[0-9]+$/ { print $1 }' out)
[ -n "$by" ] && [ "$by" = "$all" ] || fail "$by firings by the module, $all by the kernel: $(cat out)"
