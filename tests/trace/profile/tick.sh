# What: tick-10ms fires every ten milliseconds, on one CPU.
. "$LIB"
must_trace -n 'tick-10ms /!n++/ { first = timestamp; } tick-10ms { @["CPU", cpu] = count(); }
	tick-10ms /n == 101/ { printf("%d\n", (timestamp - first) / 1000000); exit(0); }'
ms=$(head -n 1 out)
# A machine that others share may be late, but never early.
[ "$ms" -ge 950 ] && [ "$ms" -le 5000 ] || fail "100 periods in $ms ms"
same "$(grep -c '^  CPU' out)" 1 "CPUs"
