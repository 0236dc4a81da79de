# What: print() shows the variant that a value of a Rust enum has, by tags, niches and inside of each other; in place of a virtual base of
# C++ a line says that it is one; members of either are refused by name.  Needs a compiler of either.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
tested=
if command -v rustc >/dev/null; then
	tested=rust
	cat >main.rs <<'R'
pub enum Shape { Circle(i32), Rect { w: i32, h: i64 }, Empty }
pub enum Sole { Only(u16) }
#[no_mangle] #[inline(never)]
pub extern "C" fn look(s: &Shape, r: &Option<&i32>, n: &Option<Option<bool>>, c: &Option<char>, o: &Sole) -> u32 {
    std::hint::black_box((s, r, n, c, o));
    1
}
fn main() {
    let five = 5;
    look(&Shape::Circle(-7), &Some(&five), &None, &None, &Sole::Only(77));
    look(&Shape::Rect { w: -4, h: 1 << 40 }, &None, &Some(None), &Some('x'), &Sole::Only(78));
    look(&Shape::Empty, &None, &Some(Some(true)), &None, &Sole::Only(79));
}
R
	rustc -g -C opt-level=0 -o shapes main.rs 2>rust.err || fail "rustc: $(cat rust.err)"
	must_trace -x oformat=json -n 'pid$target:a.out:look:entry { print(*args[0]); print(*args[1]); print(*args[2]); print(*args[3]); print(*args[4]); }' -c ./shapes
	sed 's/.*"data"://' out | grep -o '"value":{.*' >values
	sed -n 1p values | grep -q '"value":{"Circle":{"__0":-7}}.*"value":{"Some":{"__0":"0x[0-9a-f]*"}}.*"value":{"None":{}}.*"value":{"None":{}}.*"value":{"Only":{"__0":77}}' ||
		fail "first: $(sed -n 1p values)"
	sed -n 2p values | grep -q '"value":{"Rect":{"w":-4,"h":1099511627776}}.*"value":{"None":{}}.*"value":{"Some":{"__0":{"None":{}}}}.*"value":{"Some":{"__0":120}}.*{"__0":78}' ||
		fail "second: $(sed -n 2p values)"
	sed -n 3p values | grep -q '"value":{"Empty":{}}.*"value":{"None":{}}.*"value":{"Some":{"__0":{"Some":{"__0":1}}}}.*"value":{"None":{}}' ||
		fail "third: $(sed -n 3p values)"
	must_trace -n 'pid$target:a.out:look:entry { print(*args[0]); }' -c ./shapes
	contains '^    struct Rect Rect = {$'
	contains '^        i64 h = 0x10000000000$\|^        long h = 0x10000000000$'
	trace -x errtags -n 'pid$target:a.out:look:entry { trace(args[0]->Circle.__0); }' -c ./shapes
	contains '\[D_TYPE_MEMBER\].*Circle is there only in some values' err
fi
if command -v g++ >/dev/null; then
	tested=c++
	cat >main.cc <<'C'
struct top { long t = 7; virtual ~top() {} };
struct left : virtual top { long l = 1; };
struct right : virtual top { long r = 2; };
struct bottom : left, right { long b = 3; };
extern "C" __attribute__((noinline)) void see(bottom *p, left &q) { asm volatile("" ::: "memory"); }
int main() { bottom b; see(&b, b); }
C
	g++ -g -o diamond main.cc || fail "no program"
	must_trace -n 'pid$target:a.out:see:entry { print(*args[0]); print(args[1]); printf("\nat %d\n", args[0]->b); }' -c ./diamond
	same "$(grep -c '^        struct top <is a virtual base, whose place is known only at run time>$' out)" 2 "lines in place of a base"
	contains '(struct top)<is a virtual base, whose place is known only at run time>,$'
	contains '^        long l = 0x1$'
	contains '^at 3$'
	trace -x errtags -n 'pid$target:a.out:see:entry { trace(args[0]->t); }' -c ./diamond
	contains '\[D_TYPE_MEMBER\].*no member t: the part with t is a virtual base' err
fi
[ "$tested" ] || skip "no compiler of Rust or C++"
