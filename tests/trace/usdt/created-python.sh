# What: a Python program creates static probes by ctypes, and by libstapsdt's calls: every firing with its values; providers that come while it runs, hidden and shown again.  Needs: uprobe python3.
# Executors: kernel (probes that the process creates).
. "$LIB"
python=/usr/bin/python3
cat >probes.py <<'P'
import ctypes, errno, os, sys
lib = ctypes.CDLL("libdtrace-usdt.so.0", use_errno=True)
for name in "dtusdt_provider", "dtusdt_probe", "providerInit", "providerAddProbe":
    getattr(lib, name).restype = ctypes.c_void_p
lib.dtusdt_error.restype = ctypes.c_char_p
pointer, text = ctypes.c_void_p, ctypes.c_char_p

def refused(number, what):
    assert ctypes.get_errno() == number, ctypes.get_errno()
    assert what in lib.dtusdt_error().decode(), lib.dtusdt_error()

assert not lib.dtusdt_provider(b"it's")
refused(errno.EINVAL, "provider")
assert not lib.dtusdt_provider(None)
refused(errno.EINVAL, "needs a name")

provider = pointer(lib.dtusdt_provider(b"py_made"))
assert not lib.dtusdt_probe(provider, b"many", b"int, " * 12 + b"int")
refused(errno.E2BIG, "at most 12")
request = pointer(lib.dtusdt_probe(provider, b"request", b"int32_t number, char *path, double seconds"))
widths = pointer(lib.dtusdt_probe(provider, b"widths", b"int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t"))
assert lib.dtusdt_enable(provider) == 0, lib.dtusdt_error()

n, traced = int(sys.argv[1]), 0
lists = ctypes.c_uint64 * 8
for i in range(n):
    path = ("/page/%d" % (i % 3)).encode()
    traced += lib.dtusdt_fire(request, ctypes.c_int(-i), text(path), ctypes.c_double(0.5))
    values = lists(*[v & (2 ** 64 - 1) for v in (-1, 200, -300, 60000, -70000, 4000000000, -2 ** 63, 2 ** 64 - 1)])
    traced += lib.dtusdt_fire_values(widths, values, ctypes.c_size_t(8))

# Hidden, and shown again with one more.
assert lib.dtusdt_disable(provider) == 0
assert lib.dtusdt_fire(request, ctypes.c_int(0), text(b"hidden"), ctypes.c_double(0)) == 0
late = pointer(lib.dtusdt_probe(provider, b"late", b"char *what"))
assert lib.dtusdt_enable(provider) == 0, lib.dtusdt_error()
for i in range(n):
    traced += lib.dtusdt_fire(late, text(b"late"))
lib.dtusdt_free(provider)

# libstapsdt's calls.
stap = pointer(lib.providerInit(b"py_stap"))
probe = pointer(lib.providerAddProbe(stap, b"first", 2, 8, -4))
assert lib.providerLoad(stap) == 0
for i in range(n):
    lib.probeFire(probe, text(b"My little probe"), ctypes.c_int(-i))
assert lib.providerUnload(stap) == 0
lib.providerDestroy(stap)
print("traced", traced)
P
export LD_LIBRARY_PATH="$usdt_library"
"$python" probes.py 3 >out 2>err || fail "untraced"
contains '^traced 0$'

script='py_made$target:::request { @paths[copyinstr(arg1)] = count(); @numbers = sum((int)arg0); @seconds[arg2 == 0x3fe0000000000000] = count(); }
	py_made$target:::widths /!self->seen++/ { printf("%d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7 == -1ull); }
	py_made$target:::widths { @widths = count(); }
	py_made$target:::late { @late[copyinstr(arg0)] = count(); }
	py_stap$target:::first { @stap[copyinstr(arg0)] = sum((int)arg1); }
	END { printa("%s %@d\n", @paths); printa("numbers %@d\n", @numbers); printa("half %d %@d\n", @seconds); printa("widths %@d\n", @widths);
		printa("%s %@d\n", @late); printa("%s %@d\n", @stap); }'
must_trace_arrivals -Zn "$script" -c "$python probes.py 300"
contains '^traced 900$'
contains '^/page/0 100$'
contains '^/page/1 100$'
contains '^/page/2 100$'
contains '^numbers -44850$'
contains '^half 1 300$'
contains '^-1 200 -300 60000 -70000 4000000000 -9223372036854775808 1$'
contains '^widths 300$'
contains '^late 300$'
contains '^My little probe -44850$'

# A process that runs already and is named by -p.
cat >waits.py <<'P'
import sys
sys.stdin.readline()
sys.argv = ["probes.py", "200"]
exec(open("probes.py").read())
P
mkfifo in
"$python" waits.py <in >said 2>&1 &
target=$!
exec 3>in
wait_for_program $target "$(basename "$(readlink -f "$python")")"
background -Zn "BEGIN { printf(\"begun\\n\"); } $script" -p "$target"
until_true 20 grep -qs begun out || fail "never began"
echo >&3
exec 3>&-
wait "$pid"
contains '^numbers -19900$'
contains '^late 200$'
contains '^My little probe -19900$'
contains '^traced 600$' said
exit 0
