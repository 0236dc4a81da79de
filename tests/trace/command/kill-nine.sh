# What: kill -9 in mid-trace leaves no breakpoint, no stopped process, no event, no pinned object.  Needs: uprobe python3.
. "$LIB"
TRIGGER_COUNTS=$PWD/counts "$TRIGGERS/calls" 1000000 1000 &
target=$!
trap 'kill $target 2>/dev/null' EXIT
wait_for_program $target calls
pinned=$(ls /sys/fs/bpf 2>/dev/null)
background -o log -n 'BEGIN { printf("ready\n"); }
	pid$target:a.out::entry, pid$target:a.out::return { @[probefunc] = count(); }
	syscall:::entry { @calls[probefunc] = count(); } profile-97 { @p = count(); }
	tick-100ms { printf("fired\n"); }' -p "$target"
until_true 15 grep -qs fired log || fail "never started"
kill -9 "$pid"
wait "$pid" 2>/dev/null

cat >compare.py <<'PY'
import os, sys
pid = int(sys.argv[1])
exe = os.readlink(f"/proc/{pid}/exe")
with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb") as mem, open(exe, "rb") as file:
    for line in maps:
        words = line.split()
        if "x" not in words[1] or words[-1] != exe:
            continue
        start, end = (int(x, 16) for x in words[0].split("-"))
        mem.seek(start)
        file.seek(int(words[2], 16))
        ours = file.read(end - start)
        if mem.read(end - start)[:len(ours)] != ours:
            sys.exit("the target's text differs from its file")
PY
until_true 10 python3 compare.py "$target" 2>err || fail "text of the target"
gone "$target" && fail "the target died"
last=$(tail -n 1 counts)
goes_on() {
	[ "$(tail -n 1 counts)" != "$last" ]
}
until_true 5 goes_on || fail "the target stands still"
# others on this machine may pin and trace, too
same "$(ls /sys/fs/bpf 2>/dev/null)" "$pinned" "pinned objects"
for events in /sys/kernel/tracing/uprobe_events /sys/kernel/debug/tracing/uprobe_events; do
	[ -s "$events" ] && grep -i "dtrace.*$pid" "$events" && fail "an event is left"
done
true
