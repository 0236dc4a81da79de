# What: statsnoop shows each file whose status a process asks for, and the error.  Needs: btf.
. "$LIB"
tool statsnoop -c "$TRIGGERS/deeds stat 6 open 2" no-stat
same "$(awk '$3 == "deeds" && $4 == "ENOENT" && $5 == "no-stat"' out | wc -l)" 6 "calls"
contains '^ *6 calls, 6 failed$'
tool statsnoop -c "sh -c '$TRIGGERS/deeds stat 1; exit'"
grep -q ' deeds  *-  */.*libc' out || fail "no status by a descriptor: the linker asks for libc.so"
