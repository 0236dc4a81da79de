# What: profile-N fires on every CPU.  Each is kept busy: an idle virtual CPU may sleep through its timers.
. "$LIB"
cpu=0
while [ "$cpu" -lt "$(nproc)" ]; do
	timeout 3 taskset -c "$cpu" sh -c 'while :; do :; done' &
	cpu=$((cpu + 1))
done
must_trace -n 'profile-97 { @[cpu] = count(); } tick-1s { exit(0); }'
same "$(awk 'NF == 2 && $2 > 0' out | wc -l)" "$(nproc)" "CPUs"
wait
