# What: bashreadline shows the lines that are typed in a shell.  Needs: uprobe python3.
. "$LIB"
command -v bash >/dev/null || skip "no bash"
cat >shell.py <<'E2'
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
print(pid, file=open("shell", "w"), flush=True)
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
python3 shell.py &
python=$!
trap 'kill $python 2>/dev/null' EXIT
until_true 10 test -s shell || fail "no shell"
shell=$(cat shell)
has_executed "$shell" bash || until_true 10 has_executed "$shell" bash || fail "no bash"
"$DTRACE" -ln 'pid$target:a.out:readline:return' -p "$shell" >list 2>&1
grep -q 'readline *return' list || skip "this bash has no symbol readline"
background -s bashreadline -p "$shell"
until_true 10 grep -qs LINE out || fail "it does not begin: $(cat err)"
touch gate
wait "$python"
wait "$pid" || fail "status"
same "$(awk -v p="$shell" '$2 == p && $3 == "bash" { print $4, $5 }' out | tr '\n' ';')" "true one;true two;exit ;" "lines"
contains '^ *3 lines$'
