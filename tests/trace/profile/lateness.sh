# What: arg2 is how late the timer is: without it, ticks are a period apart.
. "$LIB"
must_trace -n 'BEGIN { last = (int64_t)0; } tick-5ms { this->phase = (timestamp - arg2) % 5000000; this->off = this->phase - last; n++; late += (int64_t)arg2 > 0;
		near += (this->off > -100000 && this->off < 100000) || this->off > 4900000 || this->off < -4900000;
		last = this->phase; }
	tick-5ms /n == 100/ { exit(0); }
	END { printf("late %d near %d\n", late, near); }'
# The timestamp is taken before, and the machine may be taken from us between: then one or two are off.
awk '{ exit !($2 == 100 && $4 >= 60) }' out || fail "ticks are not where they should be"
must_trace -n 'profile-997 { n++; late += arg2 > 0 && arg2 < 10000000000; } tick-200ms { exit(0); } END { exit(n == late ? 0 : 1); }'
