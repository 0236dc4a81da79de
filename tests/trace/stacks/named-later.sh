# What: JSON has for each frame of a file the offset in it and its build id, as it was when it was mapped: names are found elsewhere after the file's end.
# Needs: cc x86_64 jsonschema.
. "$LIB"
cat >later.c <<'C'
#include <unistd.h>
__attribute__((noinline)) void NAME(void) { getppid(); __asm__ volatile(""); }
int main(void)
{
	NAME();
	usleep(200000); /* until its first stacks, which are copied, have been walked */
	return 0;
}
C
compile() { gcc -O1 -DNAME="$1" "$2" -o "$1" later.c || fail "cannot compile $1"; }
compile first -Wl,--build-id=0x00aa010203040506
compile second -Wl,--build-id=0xffffffffffffffffffffffffffffffffffffffff
compile third -Wl,--build-id=none
cat >run.sh <<'S'
for version in first second third; do
	cp $version $version.copy
	strip $version.copy
	mv $version.copy program
	./program
done
rm program
S
cat >names.py <<'P'
import json, re, subprocess, sys
def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
def build_id(path):
    found = re.search("Build ID: ([0-9a-f]+)", said("readelf", "-n", path))
    return found and found.group(1)
def function_at(path, offset): # by the program headers and symbols of the file that was kept elsewhere
    for line in said("readelf", "-lW", path).splitlines():
        w = line.split()
        if w[:1] == ["LOAD"] and int(w[1], 16) <= offset < int(w[1], 16) + int(w[4], 16):
            address = offset - int(w[1], 16) + int(w[2], 16)
    symbols = (line.split() for line in said("nm", "--defined-only", path).splitlines())
    return max((int(a, 16), n) for a, t, n in symbols if t in "tT" and int(a, 16) <= address)[1]
def stacks_in(x):
    if isinstance(x, dict):
        if "ustack" in x:
            yield x
        x = list(x.values())
    for item in x if isinstance(x, list) else []:
        yield from stacks_in(item)
versions = {build_id(name): name for name in ("first", "second", "third")}
assert len(versions) == 3 and versions[None] == "third", versions
libc = build_id(re.search("=> (/.*libc.so.6)", said("ldd", "./first")).group(1))
lines = [json.loads(line) for line in open("out")]
stacks = [s for s in stacks_in(lines) if any(f.get("module") == "program" for f in s["ustack"])]
assert len(stacks) == 6 and all(s["ended"] == "whole" for s in stacks), stacks
for s in stacks:
    frames = [f for f in s["ustack"] if f["module"] == "program"]
    version = versions[frames[0].get("build_id")]
    assert not any("symbol" in f for f in frames), frames
    assert [function_at(version, f["file_offset"] - 1) for f in frames] == [version, "main", "_start"], frames
    others = [f for f in s["ustack"] if f["module"].startswith("libc.so")]
    assert others and all(f["build_id"] == libc for f in others), others
    assert ("symbol" in others[0]) == (sys.argv[1] != "noresolve"), others
keys = [k for line in lines if line["type"] == "aggregation" for k in line["key"] if "module" in k]
assert sorted(versions[k.get("build_id")] for k in keys) == 3 * ["first"] + 3 * ["second"] + 3 * ["third"], keys
assert all(k["file_offset"] > 0 for k in keys), keys
P
script='syscall::getppid:entry /execname == "program"/ { ustack(); @[ustack()] = count(); @u[usym(ucaller), umod(ucaller), uaddr(ucaller)] = count(); }'
for option in noresolve demangle; do
	for _ in 1 2 3 4 5; do # on a busy machine 200 ms may be too short, which is reported
		trace -x oformat=json -x $option -n "$script" -c 'sh run.sh'
		grep -q 'before its copied stack was walked' err || break
	done
	same "$status $(cat err)" "0 " "status, messages"
	check_json
	/usr/bin/python3 names.py $option || fail "$option: frames"
done
exit 0
