# What: profile-N fires on every CPU.  Each is kept busy: an idle virtual CPU may sleep through its timers.
. "$LIB"
on_each_cpu "$TRIGGERS/spin" 60000
must_trace -n 'profile-97 { @[cpu] = count(); } tick-1s { exit(0); }'
same "$(awk 'NF == 2 && $2 > 0' out | wc -l)" "$(getconf _NPROCESSORS_ONLN)" "CPUs"
