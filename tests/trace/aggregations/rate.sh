# What: with aggrate a printa() that comes sooner shows the last reading again; without it each one reads; the end always does.
. "$LIB"
must_trace -x aggrate=10s -n 'BEGIN { @n = count(); } tick-50ms { @n = count(); printa("%@d\n", @n); } tick-600ms { exit(0); } END { printa("end %@d\n", @n); }'
same "$(head -n 5 out | sort -u | grep -c '[0-9]')" 1 "different numbers among the first with aggrate=10s"
last=$(sed -n 's/^end //p' out)
[ "$last" -gt 3 ] || fail "the end shows what was read before"
must_trace -n 'BEGIN { @n = count(); } tick-50ms { @n = count(); printa("%@d\n", @n); } tick-600ms { exit(0); }'
[ "$(head -n 5 out | sort -u | grep -c '[0-9]')" -gt 3 ] || fail "not read each time"
