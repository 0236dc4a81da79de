# What: shortlived counts processes that start and end within the time, by program and by parent.  Needs: btf.
. "$LIB"
tool shortlived -c "$TRIGGERS/lives exit 6 exec 4"
contains '^lives  *7 '
contains '^true  *4 '
same "$(awk '$2 == "lives" && $3 == 10' out | wc -l)" 1 "the parent of all"
contains '^11 processes with [0-9]* us of CPU time in [0-9.]* s$'
awk '($1 == "true" || $1 == "lives") && NF == 4 && !($3 > 0 && $4 > 0) { exit 1 }' out || fail "times"
