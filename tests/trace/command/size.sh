# What: dtrace has at most 2.3 MB without its symbols.  Needs: x86_64.
. "$LIB"
case $DTRACE in */asan/* | */static/* | */clang/*) skip "another build" ;; esac
strip -o stripped "$DTRACE" || skip "no strip here"
size=$(stat -c %s stripped)
[ "$size" -le 2300000 ] || fail "$size bytes: nm -S --size-sort has the largest; compare with the commit before"
same "$(./stripped -qn 'BEGIN { trace(B_READ); exit(0); }')" 64 "stripped, with a name of a D library"
