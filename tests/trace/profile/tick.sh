# What: tick-10ms fires a hundred times in a second, on one CPU at a time.
. "$LIB"
must_trace -n 'BEGIN { start = timestamp; } tick-10ms { n++; } tick-10ms /n == 100/ { printf("%d\n", (timestamp - start) / 1000000); exit(0); }'
ms=$(head -n 1 out)
[ "$ms" -ge 950 ] && [ "$ms" -le 1500 ] || fail "$ms ms"
