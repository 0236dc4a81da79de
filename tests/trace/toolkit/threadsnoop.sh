# What: threadsnoop shows each new thread of a process, and no new process.  Needs: btf.
. "$LIB"
tool threadsnoop -c "$TRIGGERS/deeds threads 6 kill 2"
same "$(awk '$4 == "deeds" && $2 == $3 && $5 > 0 && $6 >= 2' out | wc -l)" 6 "threads"
same "$(awk '$2 == "deeds" && NF == 3 { print $3 }' out)" 6 "the sum"
