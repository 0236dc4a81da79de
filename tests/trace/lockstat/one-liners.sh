# What: one-liners for lock time: how long the threads of a program wait for locks of the kernel, by program, as a histogram, and by place.  Needs: btf python3.
. "$LIB"
# The program makes its threads wait 3 times for a mutex, 4 times for a reader-writer lock, 50 ms each.
cp "$checkout/tests/trace/lockstat/contends.py" child.py
child="$(command -v python3) child.py"
trace_often -n 'lockstat:::adaptive-block /pid == $target/ { @[execname] = sum(arg1); }' -c "$child"
[ ! -f skipped ] || skip "$(cat skipped)"
awk '$1 ~ /python/ { found = $2 >= 150000000 && $2 < 30000000000 } END { exit !found }' out || fail "not three waits of 50 ms"
trace_often -n 'lockstat:::rw-block /pid == $target && tid != pid && args[2] == RW_WRITER && arg1 >= 50000000/ { @[execname] = quantize(arg1); }' -c "$child"
same "$(awk '$2 ~ /^\|/ && $1 >= 33554432 { n += $NF } END { print n + 0 }' out)" 4 "waits of 50 ms for the lock of the file"
# The frames of the tracepoint itself are not among those of the place.
# Where they wait longest: each of the two places in the kernel is one stack.
trace_often -n 'lockstat:::adaptive-block,lockstat:::rw-block /pid == $target && tid != pid && arg1 >= 50000000/ { @[probename, stack(8)] = sum(arg1); }
	END { printa("%s%kspent %@d\n", @); }' -c "$child"
awk '/^adaptive-block/ { kind = "mutex" } /^rw-block/ { kind = "rw" } /_write/ { place[kind] = 1 } /^spent/ { ns[kind] += $2 }
	END { exit !(place["mutex"] && place["rw"] && ns["mutex"] >= 150000000 && ns["rw"] >= 200000000) }' out || fail "the places"
grep -q 'vmlinux`\(__traceiter\|__bpf_trace\|bpf_trace_run\)' out && fail "frames of the tracepoint"
exit 0
