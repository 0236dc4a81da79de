# What: jstack() shows the frames of Python that the process itself sees, in CPython 3.11 to 3.13: recursion, generators, callbacks, threads, forks.
# Needs: uprobe python3 jsonschema.  Executors: kernel (its probes are of system calls).
. "$LIB"
cat >frames.py <<'P'
import os, sys, threading
def mine(): # what jstack() is to show of the caller
    f, lines = sys._getframe(1), []
    while f:
        lines.append("[ %s:%d %s ]" % (f.f_code.co_filename, f.f_lineno, f.f_code.co_qualname))
        f = f.f_back
    if len(sys.argv) == 1:
        print(*lines, sep="\n", flush=True)
def leaf(_ = None):
    mine(); os.getppid()
class Tree:
    def walk(self, n):
        if n:
            return self.walk(
                n - 1)
        sorted([1], key=leaf)
def numbers():
    for i in range(2):
        Tree().walk(2)
        yield i
def größe_字(): # an identifier of 2 bytes a character
    exec(compile("def made():\n\n leaf()\nmade()", "made " + "x" * 300, "exec"), globals())
def long_function():
    (LONG)
    leaf()
def in_child():
    leaf()
def main():
    list(numbers())
    größe_字()
    long_function()
    t = threading.Thread(target=lambda: leaf())
    t.start()
    t.join()
main()
if "fork" in sys.argv:
    pid = os.fork()
    if not pid:
        in_child()
        os._exit(0)
    os.waitpid(pid, 0)
P
# a table of lines of more than 64 entries
python3 -c 'import sys; t = open("frames.py").read(); open("frames.py", "w").write(t.replace("    (LONG)\n", "".join("    x%d = sys.argv\n" % i for i in range(900))))' || fail "python3"
pythons=$(for p in /usr/bin/python3.1[1-3] /root/.pyenv/versions/3.1[1-3].*/bin/python3; do [ -x "$p" ] && echo "$p"; done)
[ -n "$pythons" ] || skip "there is no CPython of 3.11 to 3.13"
frames() { sed -n 's/^  *\(\[ .* \]\)$/\1/p' "$1"; }
for python in $pythons; do
	trace -n 'syscall::getppid:entry /pid == $target/ { printf("\n"); jstack(100, 1000); }' -c "$python frames.py"
	same "$status $(cat err)" "0 " "$python: status, messages"
	# What the process has printed comes in its own lines, without blanks before them.
	grep '^\[ ' out >wanted
	sed -n 's/^  *\(\[ .* \]\)$/\1/p' out >shown
	cmp wanted shown || fail "$python: other frames than the process sees: $(diff wanted shown | head -20)"
	[ "$(wc -l <shown)" -gt 20 ] || fail "$python: few frames"
	# The evaluator's frames each have their own.
	same "$(grep -A1 '_PyEval_EvalFrameDefault+' out | grep -c '^  *\[ ')" "$(grep -c '_PyEval_EvalFrameDefault+' out)" "$python: evaluators with frames"
done
python=${pythons%%
*}
# The names are of the firing: the process has ended when the aggregation is printed; at functions, too.
trace -n 'pid$target:libc*:getppid:entry { @[jstack()] = count(); }' -c "$python frames.py"
same "$status $(cat err)" "0 " "an aggregation"
same "$(grep -c '^  *\[ .*frames.py:10 leaf \]$' out)" 4 "keys"
same "$(awk '/^  *[0-9]+$/ { n += $1 } END { print n }' out)" 5 "sum of the keys"
same "$(frames out | grep -c 'größe_字')" 1 "a name of wide characters"

# Frames and strings are limited; JSON has them with their native frame.
trace -n 'syscall::getppid:entry /pid == $target/ { jstack(2, 20); exit(0); }' -c "$python frames.py quiet"
same "$(sed -n 's/^  *\(\[ .* \]\)$/\1/p' out | wc -l)" 2 "frames asked for"
same "$(sed -n 's/^  *\[ \(.*\) \]$/\1/p' out | awk 'length($0) > 20' | wc -l)" 0 "long strings"
[ "$python" = /usr/bin/python3.11 ] || contains 'truncated (jstackstrsize)' err
trace -x jstackframes=3 -x jstackstrsize=5 -n 'syscall::getppid:entry /pid == $target/ { @[jstack()] = count(); }' -c "$python frames.py quiet"
contains '^dtrace: [0-9]* interpreter frames truncated (jstackstrsize)' err
[ "$(sed -n 's/^  *\[ \(.*\) \]$/\1/p' out | awk 'length($0) > 5' | wc -l)" = 0 ] || fail "strings of more than 5 bytes"
trace -n 'syscall::getppid:entry /pid == $target/ { ustack(); jstack(50, 0); exit(0); }' -c "$python frames.py quiet"
same "$(grep -c '^  *\[ ' out)" 0 "frames in ustack()"
trace -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { @[jstack()] = count(); }' -c "$python frames.py quiet"
check_json
contains '"symbol":"_PyEval_EvalFrameDefault"[^}]*"interpreted":\[{"function":"leaf","file":"[^"]*frames.py","line":10}' out

# Children, whose frames are known by what their parent was.
trace -x follow=fork -n 'syscall::getppid:entry /target && pid != $target/ { jstack(); }' -c "$python frames.py fork"
same "$(sed -n 's/^  *\[ .*:[0-9]* \(.*\) \]$/\1/p' out | tr '\n' ' ')" "leaf in_child <module> " "a child"

# Processes that nobody names: one that was there, one that comes.
cat >waits.py <<'P'
import os, sys
def waits():
    for line in sys.stdin:
        os.getppid()
waits()
P
mkfifo lines
"$python" waits.py <lines &
waiting=$!
exec 3>lines
background -n 'BEGIN { printf("ready\n"); } syscall::getppid:entry /pid == '$waiting' || ppid == '$$'/ { printf("%d", pid); jstack(); }'
until_true 30 grep -q ready out || fail "dtrace does not begin"
once() { # each of both has shown a frame
	echo >&3
	echo | "$python" waits.py
	sleep 0.1
	awk -v there=$waiting '/^[0-9]/ { here = $1 == there } /waits.py:4 waits/ { seen[here] = 1 } END { exit !(seen[0] && seen[1]) }' out
}
until_true 30 once || fail "frames of other processes"
kill -INT $pid
wait $pid
exec 3>&-
wait $waiting
grep -v 'user stacks* of CPython shown without frames of Python\|without all callers' err && fail "messages"
exit 0
