# What: syncsnoop shows each fsync with its file, and a table.  Needs: btf.
. "$LIB"
tool syncsnoop -c "$TRIGGERS/deeds write 2 sync 4"
same "$(awk -v f="$PWD/deed" '$3 == "deeds" && $4 == "fsync" && $5 > 0 && $6 == f' out | wc -l)" 4 "calls"
same "$(awk '$1 == "fsync" && NF == 4 && $4 >= $3 { print $2 }' out)" 4 "the table"
