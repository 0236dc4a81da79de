# What: minfbypid counts the page faults of a process that touches new pages.  Needs: btf.
. "$LIB"
tool minfbypid -c "$TRIGGERS/deeds touch 0"
few=$(awk '$2 == "deeds" { print $3 }' out)
tool minfbypid -c "$TRIGGERS/deeds touch 1000"
many=$(awk '$2 == "deeds" { print $3 }' out)
[ $((many - few)) -ge 995 ] && [ $((many - few)) -le 1010 ] || fail "$many faults instead of $few, for 1000 pages more"
same "$(awk '$1 > 0 && NF == 4' out | wc -l)" 1 "rows"
