# What: kill -9 while 2,000 places are attached or detached leaves no breakpoint in the target.  Needs: uprobe_multi python3.
. "$LIB"
TRIGGER_COUNTS=$PWD/counts "$TRIGGERS/calls" 1000000 1000 &
target=$!
trap 'kill $target 2>/dev/null' EXIT
wait_for_program $target calls

cat >compare.py <<'PY'
import sys
pid = int(sys.argv[1])
with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb") as mem:
    for line in maps:
        words = line.split()
        if "x" not in words[1] or len(words) < 6 or not words[5].startswith("/"):
            continue
        start, end = (int(x, 16) for x in words[0].split("-"))
        mem.seek(start)
        with open(words[5], "rb") as file:
            file.seek(int(words[2], 16))
            ours = file.read(end - start)
        if mem.read(end - start)[:len(ours)] != ours:
            sys.exit(f"the text of {words[5]} differs from its file")
PY
text_is_clean() { python3 compare.py "$target" 2>why; }

until_true 15 text_is_clean || fail "the target before anything: $(cat why)"
for moment in 0.006 0.012 0.018 0.024 0.03 0.04 0.06; do
	background -n 'pid$target:libc::entry { @ = count(); }' -p "$target"
	sleep "$moment"
	kill -9 "$pid"
	wait "$pid" 2>/dev/null
	until_true 10 text_is_clean || fail "killed after $moment s: $(cat why)"
done
for moment in 0.001 0.005 0.02; do
	background -o log -n 'BEGIN { printf("ready\n"); } pid$target:libc::entry { @ = count(); }' -p "$target"
	until_true 15 grep -qs ready log || fail "never started"
	kill -INT "$pid"
	sleep "$moment"
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	until_true 10 text_is_clean || fail "killed $moment s after the interrupt: $(cat why)"
	rm -f log
done
gone "$target" && fail "the target died"
true
