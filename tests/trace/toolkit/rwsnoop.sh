# What: rwsnoop shows each read and write of a file with its size, direction and path, and sums.  Needs: btf.
. "$LIB"
tool rwsnoop -c "$TRIGGERS/deeds read 5 write 3" /deed
same "$(awk -v f="$PWD/deed" '$4 == "deeds" && $5 == "R" && $6 == 100 && $7 == f' out | wc -l)" 5 "reads"
same "$(awk -v f="$PWD/deed" '$4 == "deeds" && $5 == "W" && $6 == 1000 && $7 == f' out | wc -l)" 3 "writes"
same "$(awk 'NR > 1 && NF == 7' out | wc -l)" 8 "lines"
contains '^ *500 bytes read$'
contains '^ *3000 bytes written$'
