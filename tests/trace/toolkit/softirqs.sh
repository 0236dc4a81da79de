# What: softirqs counts soft interrupts as /proc/softirqs does, while a program sends over loopback.  Needs: btf.
. "$LIB"
sums() { awk 'NR > 1 { n = 0; for (i = 2; i <= NF; i++) n += $i; print substr($1, 1, length($1) - 1), n }' /proc/softirqs; }
sums >before
tool softirqs -c "$TRIGGERS/connects 127.0.0.1 20 0"
sums >after
awk 'FILENAME == "before" { b[$1] = $2; next } FILENAME == "after" { a[$1] = $2; next }
	NF == 5 && ($1 in a) && $2 > a[$1] - b[$1] { print $1, $2, "of", a[$1] - b[$1] }' before after out >wrong
[ ! -s wrong ] || fail "more than the kernel counted: $(cat wrong)"
[ "$(awk '$1 == "NET_RX" { print $2 }' out)" -ge 20 ] || fail "no soft interrupts of the network"
for value in -1 1000000001 word; do
	tool_misused "softirqs: -i takes a number from 0 to 1000000000, not '$value'" -s softirqs -i "$value"
done
