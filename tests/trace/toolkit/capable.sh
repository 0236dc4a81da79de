# What: capable shows the privilege that a change of the user needs, granted and denied.  Needs: btf.
. "$LIB"
[ "$("$DTRACE" -ln rawtp:::cap_capable 2>/dev/null | grep -c cap_capable)" = 1 ] || skip "no tracepoint cap_capable (Linux 6.14)"
command -v setpriv >/dev/null || skip "setpriv is not installed"
tool capable -c "$TRIGGERS/deeds user 3"
same "$(grep -c ' deeds  *7 SETUID  *granted$' out)" 3 "tests that are granted"
contains '^deeds  *SETUID  *granted  *3$'
tool capable -c "sh -c 'setpriv --reuid=65534 --clear-groups setpriv --reuid=1 true 2>/dev/null; exit 0'"
contains '^setpriv  *SETUID  *denied  *[0-9]*$'
