# What: errinfo counts calls that fail by program, call and error, with the name of the error.  Needs: btf.
. "$LIB"
tool errinfo -c "$TRIGGERS/deeds miss 7 stat 3 read 5"
contains '^deeds  *openat  *ENOENT  *2  *7$'
same "$(awk '$1 == "deeds" && $2 ~ /stat/ { print $3, $4, $5 }' out)" "ENOENT 2 3" "status"
same "$(grep -c pread64 out)" 0 "calls that did not fail"
