# What: bashreadline shows the lines that are typed in every shell, here in private copies of bash: one that runs, and one that starts later.  Needs: uprobe python3.
# Executors: kernel (every process).
. "$LIB"
cp "$(command -v bash)" bash || skip "no bash"
cat >shell.py <<'E2'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv("./bash", ["bash", "--norc", "--noprofile", "-i"])
print(pid, file=open("shell" + sys.argv[1], "w"), flush=True)
while not os.path.exists("gate"):
    time.sleep(0.01)
for line in b"true one\n", b"true two\n", b"exit\n":
    os.write(terminal, line)
while True:
    try:
        if not os.read(terminal, 1000):
            break
    except OSError:
        break
os.waitpid(pid, 0)
E2
python3 shell.py 1 &
first=$!
trap 'touch gate; kill $first $second 2>/dev/null' EXIT
until_true 10 test -s shell1 || fail "no shell"
until_true 10 has_executed "$(cat shell1)" bash || fail "no bash"
"$DTRACE" -ln 'pid$target:a.out:readline:return' -p "$(cat shell1)" >list 2>&1
grep -q 'readline *return' list || skip "this bash has no symbol readline"
background -s bashreadline -f "$PWD/bash" -l "$PWD/none.so"
until_true 10 grep -qs LINE out || fail "it does not begin: $(cat err)"
python3 shell.py 2 &
second=$!
until_true 10 test -s shell2 || fail "no second shell"
until_true 10 has_executed "$(cat shell2)" bash || fail "no second bash"
touch gate
wait "$first"
wait "$second"
for shell in $(cat shell1 shell2); do
	lines() { awk -v p="$shell" '$2 == p && $3 == "bash" { print $4, $5 }' out | tr '\n' ';'; }
	all() { [ "$(lines)" = "true one;true two;exit ;" ]; }
	until_true 10 all || fail "lines of $shell: $(lines)"
done
kill -INT "$pid"
wait "$pid" || fail "status"
contains '^ *6 lines$'
