# What: a process that nothing stops at its place is killed before its own code; one whose place the kernel refuses is held at its entry, with
# a warning.  Needs: uprobe python3 cc x86_64.
. "$LIB"
. "${LIB%/*}/together/programs.inc"
cp ld.so whole.so
# moved ADDRESS - a linker whose _dl_debug_state() is elsewhere in the eyes of readers of its symbols
moved() {
	python3 - "$1" <<'PY'
import re, struct, subprocess, sys
data = bytearray(open("whole.so", "rb").read())
lines = subprocess.run(["readelf", "-SW", "whole.so"], capture_output=True, text=True).stdout
def section(name):
    words = re.search(r"\] " + re.escape(name) + r" +\S+ +(\S+) +(\S+) +(\S+)", lines).groups()
    return [int(word, 16) for word in words]
_, symbols, size = section(".dynsym")
_, names, _ = section(".dynstr")
address, text, length = section(".text")
if sys.argv[1] == "unused":
    wanted = address + length - 1 # the last byte of the code: nothing is executed there
else:
    wanted = address + data.index(b"\xf4", text, text + length) - text # hlt: the kernel probes none
for at in range(symbols, symbols + size, 24):
    name, = struct.unpack_from("<I", data, at)
    if data[names + name:].startswith(b"_dl_debug_state\0"):
        struct.pack_into("<Q", data, at + 8, wanted)
open("ld.so", "wb").write(data)
PY
}
moved unused || fail "no linker"
trace -n "$work_functions" -c ./work
same "$status" 1 "status of a command that passes its place"
[ -s out ] && fail "the command has run"
contains '^dtrace: failed to execute ./work: nothing stopped it at _dl_debug_state() of its dynamic linker: use evaltime=postinit$' err

rm ld.so
moved refused && chmod +x ld.so || fail "no linker"
trace -o probes -n "$work_functions" -c ./work
same "$status" 0 "status of a command whose place is refused"
same "$(cat out) $(tr -d '\n' <probes)" 'done own2 in_library2 ' "output of a command whose place is refused"
contains '^dtrace: warning: process [0-9]* waits at its entry, not before the initializers of its libraries: cannot probe offset 0x[0-9a-f]* of ' err
trace -x evaltime=preinit -n "$work_functions" -c ./work
same "$status" 1 "status where preinit must be had"
[ -s out ] && fail "the command has run"
contains '^dtrace: failed to execute ./work: cannot probe offset' err
