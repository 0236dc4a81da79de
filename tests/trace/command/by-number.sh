# What: a probe's number means the probe; one that this kernel lacks is refused with the reason, and is left out of a range.  Needs: btf.
. "$LIB"
"$DTRACE" -l >all 2>err || fail "$(cat err)"
number=$(awk '$2 == "proc" && $NF == "signal-send" { print $1 }' all)
traced=$(awk '$1 > n + 1 && n > 900 { print n + 1, n + 2; exit } { n = $1 }' all)
must_trace -i "$number"' { @[probeprov, probename] = count(); } END { printa("%s %s %@d\n", @); }' -c '/bin/sh -c "kill -0 $$; kill -CHLD $$"'
contains '^proc signal-send [1-9]'
set -- $traced
[ -n "$1" ] || skip "this kernel has all probes"
"$DTRACE" -i "$1" >out 2>err && fail "$1, which -l does not list, was traced"
grep -q 'does not match any probes (this kernel has ' err || fail "$(cat err)"
first=$(($1 - 2))
"$DTRACE" -li "$first-$2" >out 2>err || fail "$(cat err)"
awk -v first="$first" -v last="$2" '$1 >= first && $1 <= last' all >wanted
sed 1d out | diff wanted - >&2 || fail "a range is not what -l lists"
