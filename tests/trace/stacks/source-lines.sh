# What: with ustacklines frames of user stacks have source file and line, and inlined functions lines of their own (gcc, clang, C++, a separate debug file, JSON).  Needs: cc jsonschema.
. "$LIB"
cat >in.c <<'C'
#include <unistd.h>
volatile int sink;
static inline __attribute__((always_inline)) int innermost(int x)
{
	write(-1, "", x);
	return sink;
}
static inline __attribute__((always_inline)) int middle(int x)
{
	if (x) {
		int y = x;
		return innermost(y) + 1;
	}
	return 0;
}
__attribute__((noinline)) int outer(int x)
{
	int r = middle(x);
	return r * 2 + sink;
}
int main(void)
{
	return outer(0 * sink + 1) == 3;
}
C
script='syscall::write:entry /pid == $target/ { ustack(4); exit(0); }'
# places FILE - of a stack of in.c
places() {
	contains "^  *$1\`innermost \[inlined\] at .*in\.c:5$"
	contains "^  *$1\`middle \[inlined\] at .*in\.c:12$"
	contains "^  *$1\`outer+0x[0-9a-f]* at .*in\.c:18$"
	contains "^  *$1\`main+0x[0-9a-f]* at .*in\.c:23$"
	same "$(grep 'in\.c:' out | sed 's/.*://' | tr '\n' ' ')" "5 12 18 23 " "order of the lines"
}
for compiler in gcc clang "gcc -gdwarf-4" "gcc -gz"; do
	command -v "${compiler%% *}" >/dev/null || continue
	$compiler -O2 -g -o in in.c || fail "$compiler cannot compile"
	must_trace -x ustacklines -n "$script" -c ./in
	places in
done
must_trace -n "$script" -c ./in
grep -q 'in\.c\|inlined' out && fail "places that nobody asked for"

objcopy --only-keep-debug in in.debug && strip -o apart in && objcopy --add-gnu-debuglink=in.debug apart || fail "objcopy"
must_trace -x ustacklines -n "$script" -c ./apart
places apart
strip -o bare in
must_trace -x ustacklines -n "$script" -c ./bare
grep -q 'in\.c' out && fail "places without debug information"

# As keys, and in JSON.
must_trace -x ustacklines -n 'syscall::write:entry /pid == $target/ { @[ustack(4)] = count(); }' -c ./in
places in
trace -x ustacklines -x oformat=json -n "$script" -c ./in
same "$status" 0 "status of JSON: $(cat err)"
check_json
/usr/bin/python3 - <<'P' || fail "JSON: $(cat out)"
import json, os
frames = [v["ustack"] for l in open("out") for d in json.loads(l).get("data", []) for v in d["values"] if isinstance(v, dict)][0]
outer = next(f for f in frames if f.get("symbol") == "outer")
assert os.path.basename(outer["file"]) == "in.c" and outer["line"] == 18, outer
assert [(p["symbol"], p["line"]) for p in outer["inlined"]] == [("innermost", 5), ("middle", 12)], outer
assert "inlined" not in next(f for f in frames if f.get("symbol") == "main")
P
# C++: names as they were written; the frame below a signal handler was interrupted, no call.
command -v g++ >/dev/null || exit 0
cat >cc.cc <<'C'
#include <csignal>
#include <unistd.h>
namespace shop { template <class T> struct cart {
	__attribute__((always_inline)) inline int add(T x) { return write(-1, "", x); }
}; }
volatile int sink;
static void handler(int) { shop::cart<int> c; sink += c.add(1); }
__attribute__((noinline)) void interrupted()
{
	*(volatile int *)8 = 1;
}
int main()
{
	signal(SIGSEGV, [](int s) { handler(s); _exit(0); });
	interrupted();
}
C
g++ -O2 -g -o cc cc.cc || fail "no C++ program"
must_trace -x ustacklines -n 'syscall::write:entry /pid == $target/ { ustack(8); exit(0); }' -c ./cc
contains 'cc`shop::cart<int>::add(int) \[inlined\] at .*cc\.cc:4$'
contains 'cc`interrupted()[+0-9a-fx]* at .*cc\.cc:10$'
contains 'cc`main+0x[0-9a-f]* at .*cc\.cc:15$'
