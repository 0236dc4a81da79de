# What: calls whose path is at a bad address have their lines, with EFAULT, and nothing is said about our own reads.  Needs: btf python3.
. "$LIB"
cat >child.py <<'E2'
import ctypes
libc = ctypes.CDLL(None)
space = ctypes.create_string_buffer(4096)
for _ in range(4):
    libc.open(ctypes.c_void_p(16), 0)
for _ in range(3):
    libc.stat(ctypes.c_void_p(8), space)
libc.execve(ctypes.c_void_p(24), 0, 0)
libc.mount(ctypes.c_void_p(32), ctypes.c_void_p(40), ctypes.c_void_p(48), 0, 0)
E2
python=$(PATH=/usr/bin:/bin command -v python3)
# check NAME LINES [PATTERN] - what the tool has said
check() {
	same "$(grep -c "${3:-EFAULT}" out)" "$2" "$1: lines with the error"
	[ ! -s err ] || fail "$1: $(cat err)"
}
tool opensnoop -c "$python child.py"
check opensnoop 4
tool statsnoop -c "$python child.py"
check statsnoop 3
tool execsnoop -c "$python child.py"
check execsnoop 1 '  14 <bad address>$'
tool mountsnoop -c "$python child.py"
check mountsnoop 1
tool dtruss -c "$python child.py"
check dtruss 9 '(0x[0-9a-f]*, 0x[0-9a-f]*, .*) = -14 EFAULT$'
