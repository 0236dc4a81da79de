#!/bin/sh
# pprof.sh - protoc reads the profile of a real program: no unknown field; functions with lines, inlined ones, the build id
#
# protoc (protobuf-compiler, with its library 4 MB) is installed if it is not there.
DTRACE=${DTRACE:-build/dtrace}
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v protoc >/dev/null ||
	apt-get install -y --no-install-recommends protobuf-compiler >/dev/null 2>&1 || {
	echo "skipped pprof: no protoc"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cat >"$work/work.c" <<'C'
#define F __attribute__((noinline, noclone, noipa))
F long leaf(long n) { volatile long x = 0; for (long i = 0; i < n; i++) x += i; return x; }
static inline __attribute__((always_inline)) long within(long n)
{
	return leaf(n) + 1;
}
F long outer(long n)
{
	return within(n) * 2;
}
int main(void) { for (int i = 0; i < 10; i++) outer(i); return 0; }
C
gcc -g -O1 -fno-optimize-sibling-calls -Wl,--build-id -o "$work/work" "$work/work.c" || exit 1
"$DTRACE" -q -x ustacklines -x oformat=pprof -o "$work/run.pb.gz" \
	-n 'pid$target:a.out:leaf:entry { @calls[execname, ustack()] = count(); }' -c "$work/work" || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }
gzip -dc "$work/run.pb.gz" | protoc -I "$root/tests" --decode=perftools.profiles.Profile "$root/tests/profile.proto" >"$work/text"
python3 "$root/tests/golden/show/profile.py" <"$work/run.pb.gz" >"$work/people"

passed=0 failed=0
check() { if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $*"; cat "$work/people"; fi; }
has() { grep -q -- "$1" "$work/people"; }
known() { [ -s "$work/text" ] && ! grep '^ *[0-9][0-9]*[:{ ]' "$work/text"; }
check known
check has '^type calls count$'
check has '^10 execname=work$'
check has "^    leaf ($work/work.c:2) [0-9]*:0x"
check has "^    within ($work/work.c:5) in outer ($work/work.c:9) [0-9]*:0x"
check has "of $(readlink -f "$work")/work $(readelf -n "$work/work" | sed -n 's/.*Build ID: //p') functions files lines inlined\$\|of work $(readelf -n "$work/work" | sed -n 's/.*Build ID: //p') functions files lines inlined\$"
check has '^time 1[0-9]\{18\} for [1-9]'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
