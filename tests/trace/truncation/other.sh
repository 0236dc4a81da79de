# What: stacks beyond the kernel's walk, and JSON nested too deep, are reported. Needs: btf.
. "$LIB"
limit=$(cat /proc/sys/kernel/perf_event_max_stack)
[ "$limit" -gt 8192 ] && limit=8192
trace -n "BEGIN { @[stack($limit)] = count(); ustack(100); exit(0); }"
[ -s err ] && fail "something on standard error"
more=$((limit + 1))
for stack in "stack($more)" "ustack($((limit + 73)))" "jstack($more)"; do
	trace -x ustack=fp -n "BEGIN { @[$stack] = count(); exit(0); }"
	same "$status" 0 "status of $stack"
	same "$(grep -v 'frame of jstack() without a name' err)" "dtrace: stacks of $(echo "$stack" | tr -cd 0-9) frames lowered to $limit, the maximum" "$stack"
done
# A walk by unwind tables has a limit of its own.
trace -n 'BEGIN { @[ustack(9000)] = count(); exit(0); }'
same "$(cat err)" "dtrace: stacks of 9000 frames lowered to 8192, the maximum" "a user stack"
must_trace -x maxframes=5 -n "BEGIN { @[stack($more)] = count(); exit(0); }" # asked for

deep() { # LEVELS
	printf "%0$1d1%0$1d" 0 0 | sed 's/0\(0*\)1/\1[1/; :a; s/0\(.*1\)/[\1/; ta; s/0/]/g'
}
must_trace -n "BEGIN { trace(strlen(json(\"$(deep 64)\", \"\"))); exit(0); }"
contains '^129'
trace -n "BEGIN { trace(json(\"$(deep 65)\", \"\")); } BEGIN { exit(0); }"
same "$status" 0 status
contains 'out of scratch space in action #1' err
