# What: hotuser finds the function in which a program spends its time.  Needs: btf.
. "$LIB"
tool hotuser -c "$TRIGGERS/spin 500"
sum=$(sed -n 's/^\([0-9]*\) of \([0-9]*\) samples were in programs$/\1 \2/p' out)
[ "${sum% *}" -ge 50 ] && [ "${sum% *}" -le "${sum#* }" ] || fail "samples: $sum"
same "$(awk '/^spin / { n += $NF } END { print n }' out)" "${sum% *}" "the sum of the table"
[ "$(awk '$1 == "spin" && $2 == "spin`spin_inner" { print $3 }' out)" -ge 10 ] || fail "hardly any in spin_inner"
