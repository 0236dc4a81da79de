# What: print() shows the first eight elements of lists, sets, maps and hash tables of libstdc++, and of Rust's Vec, in their order; many of
# them in one struct; what cannot be read.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
cat >m.cc <<'C'
#include <cstring>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
struct pair { int x, y; };
struct lists { std::list<long> numbers; std::list<std::string> words; std::list<std::vector<int>> vectors; std::list<pair> pairs; };
struct trees { std::set<int> numbers; std::multiset<std::string> words; std::map<std::string, int> ages; std::map<short, std::string> names; std::map<char, long> wide; std::map<long, char> narrow; std::map<std::string, std::string> both; std::map<int, pair> pairs; };
struct tables { std::unordered_map<int, int> one; std::unordered_map<std::string, char> name; std::unordered_set<std::string> word; std::unordered_multiset<long> same; };
__attribute__((noipa)) void look(lists *l, trees *t, tables *h) { asm volatile("" ::: "memory"); }
int main()
{
	lists l;
	trees t;
	tables h;
	look(&l, &t, &h);
	l = { { 9, 8, -7 }, { "x", "", "a string longer than sixteen" }, { { 1, 2 }, { 3 } }, { { 1, 2 } } };
	t = { { 5 }, { "b", "a", "b" }, { { "k", 1 }, { "a", -2 } }, { { 3, "three" }, { -1, "minus" } }, {}, { { 1L << 40, 7 } }, { { "a", "b" } }, { { 1, { 2, 3 } } } };
	h = { { { 1, 2 } }, { { "q", 7 } }, { "only" }, { 4, 4 } };
	for (long i = 0; i < 1000; i++) {
		l.numbers.push_back(i);
		t.numbers.insert((int)(i * 7919 % 10007) - 20);
		t.wide[(char)(i * 37)] = (char)(i * 37) * 2;
	}
	look(&l, &t, &h);
	memset((void *)&t, 0x41, sizeof(t));
	look(&l, &t, &h);
	_exit(0);
}
C
sed -i '1i#include <unistd.h>' m.cc
g++ -std=c++17 -g -O1 -o m m.cc || fail "no program"
# values of the COUNTth struct printed
values() { awk '/^struct/ { n++ } n == '"$1" out | sed -n 's/^    struct .* \([a-z]*\) = "\(.*\)"$/\1=\2/p' | tr '\n' '|'; }
shown() { must_trace -n "pid\$target:a.out:look:entry { print(*args[$1]); }" -c ./m; }
shown 0
same "$(values 1)" "numbers=0 elements|words=0 elements|vectors=0 elements|pairs=0 elements|" "empty lists"
same "$(values 2)" "numbers=1003 elements: 9, 8, -7, 0, 1, 2, 3, 4, ...|words=3 elements: x, , a string longer than sixteen|vectors=2 elements: 2 elements: 1, 2, 1 element: 3|pairs=1 element|" lists
trace -q -n 'pid$target:a.out:look:entry { print(*args[1]); }' -c ./m
same "$(values 1)" "numbers=0 elements|words=0 elements|ages=0 elements|names=0 elements|wide=0 elements|narrow=0 elements|both=0 elements|pairs=0 elements|" "empty trees"
first=$(python3 -c 'print(", ".join(str(x) for x in sorted({5} | {i * 7919 % 10007 - 20 for i in range(1000)})[:8]))')
same "$(values 2)" "numbers=1001 elements: $first, ...|words=3 elements: a, b, b|ages=2 elements: a=-2, k=1|names=2 elements: -1=minus, 3=three|wide=256 elements: -128=-256, -127=-254, -126=-252, -125=-250, -124=-248, -123=-246, -122=-244, -121=-242, ...|narrow=1 element: 1099511627776=7|both=1 element: a=b|pairs=1 element|" trees
contains '_M_left = 0x4141414141414141$' out
shown 2
same "$(values 2)" "one=1 element: 1=2|name=1 element: q=7|word=1 element: only|same=2 elements: 4, 4|" tables
command -v rustc >/dev/null || exit 0
# --- elements whose alignment the source demands, after links of hash tables, and as values after keys
cat >aligned.cc <<'C'
#include <cstddef>
#include <list>
#include <unordered_map>
#include <unordered_set>
struct alignas(16) V { int v; bool operator==(const V &o) const { return v == o.v; } };
struct W { alignas(16) int v; };
struct H { size_t operator()(const V &v) const { return v.v; } };
extern "C" __attribute__((noipa)) void look(std::unordered_map<int, V> &m, std::unordered_set<V, H> &s, std::unordered_map<V, int, H> &k, std::list<V> &l, std::unordered_map<int, W> &w) { asm volatile("" ::: "memory"); }
int main()
{
	std::unordered_map<int, V> m { { 1, V { 10 } } };
	std::unordered_set<V, H> s { V { 7 } };
	std::unordered_map<V, int, H> k { { V { 3 }, 5 } };
	std::list<V> l { V { 11 }, V { 22 } };
	std::unordered_map<int, W> w { { 2, W { 20 } } };
	look(m, s, k, l, w);
}
C
g++ -g -O1 -o aligned aligned.cc || fail "cannot compile"
mkdir library
printf 'translator string < "V" v > = lltostr(v.v);\ntranslator string < "W" w > = lltostr(w.v);\n' >library/own.d
must_trace -L library -n 'pid$target:a.out:look:entry { printf("%s|%s|%s|%s|%s, %d %d\n", stringof(args[0]), stringof(args[1]), stringof(args[2]), stringof(args[3]), stringof(args[4]), _Alignof(struct pid`a.out`V), _Alignof(struct pid`a.out`W)); }' -c ./aligned
contains '^1 element: 1=10|1 element: 7|1 element: 3=5|2 elements: 11, 22|1 element: 2=20, 16 16$'

# --- Rust
cat >r.rs <<'R'
use std::hint::black_box;
struct Most { numbers: Vec<i32>, words: Vec<String>, none: Vec<u8>, nested: Vec<Vec<u16>>, points: Vec<(i32, i32)> }
#[inline(never)] fn look(m: &Most) -> usize { black_box(m); m.numbers.len() + m.words.len() + m.none.len() + m.nested.len() + m.points.len() }
fn main() {
	let m = Most { numbers: (0..10).map(|x| x - 3).collect(), words: vec!["a".into(), "".into(), "b".into()], none: vec![], nested: vec![vec![1, 2], vec![]], points: vec![(1, 2)] };
	black_box(look(&m));
}
R
HOME=/root rustc -g -C opt-level=1 -o r r.rs 2>/dev/null || exit 0
trace -q -n 'pid$target:a.out:*r4look*:entry { print(*args[0]); }' -c ./r
same "$(values 1)" "numbers=10 elements: -3, -2, -1, 0, 1, 2, 3, 4, ...|words=3 elements: a, , b|none=0 elements|nested=2 elements: 2 elements: 1, 2, 0 elements|points=1 element|" Vec
