# What: hotkernel counts samples of the kernel's functions for a program that stays there.  Needs: btf.
. "$LIB"
tool hotkernel -c "$TRIGGERS/spin 400 kernel"
sum=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) samples were in the kernel$/\1 \2/p' out)
[ "${sum% *}" -ge 20 ] || fail "hardly any samples in the kernel: $sum"
[ "${sum% *}" -le "${sum#* }" ] || fail "more in the kernel than in all: $sum"
contains '^vmlinux`[a-z_]'
[ "$(awk '/^vmlinux/ { n += $NF } END { print n }' out)" -le "${sum% *}" ] || fail "more in the table than in all"
tool hotkernel -c "$TRIGGERS/spin 400 kernel" -n 2
[ "$(grep -c '`' out)" -le 2 ] || fail "more than two rows"
# A run without a sample in the kernel: the closing line says 0 of how many.
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	tool hotkernel -c "$TRIGGERS/spin 15"
	grep -q '`' out || break
done
grep -q '`' out || contains '^0 of [1-9][0-9]* samples were in the kernel$'
for value in 0 1000000001 word; do
	tool_misused "hotkernel: -n takes a number from 1 to 1000000000, not '$value'" -s hotkernel -n "$value"
done
