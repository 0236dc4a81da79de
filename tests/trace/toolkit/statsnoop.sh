# What: statsnoop shows each file whose status a process asks for, and the error.  Needs: btf.
. "$LIB"
tool statsnoop -c "$TRIGGERS/deeds stat 6 open 2" no-stat
same "$(awk '$3 == "deeds" && $4 == "ENOENT" && $5 == "no-stat"' out | wc -l)" 6 "calls"
contains '^ *6 calls, 6 failed$'
tool statsnoop -c "sh -c '$TRIGGERS/deeds stat 1; exit'"
grep -q ' deeds  *-  */.*libc' out || fail "no status by a descriptor: the linker asks for libc.so"
# The example of the page has all lines that its command gives.
tool statsnoop -c 'sh -c "test -e /dev/null; test -e /dev/none"' /dev/
example=$checkout/toolkit/examples/statsnoop.txt
grep -qF "dtrace -s statsnoop -c 'sh -c \"test -e /dev/null; test -e /dev/none\"' /dev/" "$example" || fail "the example has another command"
contents() { awk 'NF == 5 { print $3, $4, $5 } NF == 4 && $2 ~ /^calls/'; } # without times and process numbers
same "$(contents <out)" "$(contents <"$example")" "the lines of the example"
