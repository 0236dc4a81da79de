# What: a stream says the same as JSON: expanded, its lines differ only in the texts of formats; forgotten numbers begin anew. Needs: cc jsonschema uprobe.
# Executors: kernel process.
. "$LIB"
cat >calls.c <<'C'
#include <sys/prctl.h>
__attribute__((noinline)) int f_inner(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((noinline)) int f_outer(int x) { int r = f_inner(x); __asm__ volatile("" : "+r"(r)); return r + 1; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 3; i++) {
		prctl(PR_SET_NAME, i == 1 ? "second" : "first");
		sum += f_outer(i) + f_inner(i);
	}
	return sum == 0;
}
C
gcc -O1 -g -o calls calls.c || fail "cannot compile"
cat >program.d <<'D'
struct pair { int x; char name[4]; } p;
pid$target:a.out:f_inner:entry { printf("%d %s\n", (int)arg0, execname); ustack(2); if (arg0 == 1) stack(); else trace(arg0 * 4503599627370496); ustack(); }
pid$target:a.out:f_inner:entry { @stacks[ustack(), probefunc] = count(); @q = quantize(arg0); usym(uregs[R_PC]); p.x = 5; print(p); }
pid$target:a.out:f_outer:return { printa(@q); clear(@q); printa("%@d\n", @stacks); trace("\001\377"); x = *(int *)0; }
pid$target:a.out:f_outer:return /arg1 == 2/ { trunc(@stacks, 1); normalize(@q, 2); }
D
for form in json stream; do
	setarch -R "$DTRACE" -q -x oformat=$form -o $form -s program.d -c ./calls >out 2>err
	status=$?
	same "$status" 0 "status of $form"
done
check_json json
python3 "$checkout/tools/check-json" "$checkout/docs/schema/dtrace-stream.schema.json" stream || fail "not as the schema of a stream says"
"$DTRACE" --show=json stream >expanded 2>err || fail "not expanded"
same "$(cat err)" "json: 3 faults ended clauses: their data are missing" "messages"
check_json expanded
cat >compare.py <<'P'
import json, re
VARY = {"time", "to", "from", "pid", "tid", "cpu", "wall_offset", "command", "options", "pids", "text"}
def same(x):
    if isinstance(x, dict):
        if x.get("type") == "error":
            return {k: same(x[k]) for k in ("probe", "clause", "line", "thread") if k in x}
        return {k: same(v) for k, v in x.items() if k not in VARY}
    return [same(v) for v in x] if isinstance(x, list) else x
lines = {f: [same(json.loads(re.sub(r"pid\d+:|\"pid\d+\"", lambda m: re.sub(r"\d", "", m[0]), l))) for l in open(f)] for f in ("json", "expanded")}
assert len(lines["json"]) == len(lines["expanded"]) == 20, [len(v) for v in lines.values()]
for a, b in zip(*lines.values()):
    assert a == b, (a, b)
sizes = {f: len(open(f).read().split("\n", 1)[1]) for f in ("json", "stream")}
assert sizes["stream"] < sizes["json"] * 0.6, sizes
P
python3 compare.py || fail "see above"

# more than 65,536 stacks: the run goes on with the same names
python3 - >many.c <<'P'
print("""#define F __attribute__((noinline))
F void f_leaf(void) { __asm__ volatile(""); }
#define PAIR(n) F void outer_##n(void (*inner)(void)) { inner(); __asm__ volatile(""); } F void inner_##n(void) { f_leaf(); __asm__ volatile(""); }""")
numbers = range(260)
print("\n".join(f"PAIR({n})" for n in numbers))
print("void (*outer[])(void (*)(void)) = {", ",".join(f"outer_{n}" for n in numbers), "};")
print("void (*inner[])(void) = {", ",".join(f"inner_{n}" for n in numbers), "};")
print("int main(void) { for (int i = 0; i < 260; i++) for (int j = 0; j < 260; j++) outer[i](inner[j]); return 0; }")
P
gcc -O1 -fno-optimize-sibling-calls -o many many.c || fail "cannot compile"
must_trace -x oformat=stream -x bufsize=64m -o many.stream -n 'pid$target:a.out:f_leaf:entry { ustack(3); }' -c ./many
same "$(grep -c '"type":"forget"' many.stream)" 1 "stacks are forgotten"
"$DTRACE" --show=json many.stream 2>err | sed '1d;$d' | sed -n '1p;2p;$p' >some
same "$(cat err)" "" "messages"
names() { sed -n "$1p" some | grep -o '"symbol":"[a-z]*er_[0-9]*"' | sed 's/"symbol"://' | tr -d '\n'; }
same "$(names 1)" '"inner_0""outer_0"' "the first stack"
same "$(names 2)" '"inner_1""outer_0"' "the second stack"
same "$(names 3)" '"inner_259""outer_259"' "the last stack"
