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
for tool in "opensnoop 4" "statsnoop 3" "execsnoop 1" "mountsnoop 1" "dtruss 9"; do
	name=${tool% *}
	must_trace -s "$name" -c "$python child.py"
	lines=$(grep -c 'EFAULT\|  14 <bad address>' out)
	[ "$name" != dtruss ] || lines=$(grep -c '(0x[0-9a-f]*, 0x[0-9a-f]*, .*) = -14 EFAULT$' out)
	same "$lines" "${tool#* }" "$name: lines with the error"
	[ ! -s err ] || fail "$name: $(cat err)"
done
