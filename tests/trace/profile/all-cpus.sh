# What: profile-N fires on every CPU.
. "$LIB"
must_trace -n 'profile-97 { @[cpu] = count(); } tick-1s { exit(0); }'
same "$(awk 'NF == 2 && $2 > 0' out | wc -l)" "$(nproc)" "CPUs"
