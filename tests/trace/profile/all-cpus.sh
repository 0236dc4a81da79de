# What: profile-N fires on every CPU.  Each is kept busy: an idle virtual CPU may sleep through its timers.
. "$LIB"
cpus=$(getconf _NPROCESSORS_ONLN)
cpu=0 busy=
trap 'kill $busy' EXIT
while [ "$cpu" -lt "$cpus" ]; do
	timeout 60 taskset -c "$cpu" "$TRIGGERS/spin" 60000 >spin 2>&1 &
	busy="$busy $!"
	cpu=$((cpu + 1))
done
must_trace -n 'profile-97 { @[cpu] = count(); } tick-1s { exit(0); }'
same "$(awk 'NF == 2 && $2 > 0' out | wc -l)" "$cpus" "CPUs"
