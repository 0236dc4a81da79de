# What: lockbyproc has the time that a program makes its threads wait for locks of the kernel.  Needs: btf python3.
. "$LIB"
cp "$checkout/tests/trace/lockstat/contends.py" child.py
tool lockbyproc -c "$(command -v python3) child.py"
[ ! -f skipped ] || skip "$(cat skipped)"
awk '$2 ~ /python/ && $3 >= 7 && $4 >= 350000 && $6 >= 50000 { found = 1 } END { exit !found }' out || fail "not seven waits of 50 ms"
