# What: strings that values of C++ and Rust stand for: stringof(), %s, comparisons, keys; rules of the program.  Needs: uprobe.
# Executors: kernel process.
. "$LIB"
cat >s.cc <<'C'
#include <memory>
#include <string>
#include <string_view>
struct user { std::string name; user *next; };
namespace own { struct name { int len; const char *p; }; struct string { int a; }; }
__attribute__((noipa)) void greet(const std::string &s, std::string_view v, user *u, own::name *n, own::string *o) { asm volatile("" ::: "memory"); }
int main()
{
	user second{"second", nullptr}, u{"a name that is too long for the object itself", &second};
	own::name n{3, "abcdef"};
	own::string o{5};
	std::string with_zero("ab\0cd", 5), huge(1000, 'x');
	greet("short", "a view of it", &u, &n, &o);
	greet("", std::string_view(), &second, &n, &o);
	greet(with_zero, std::string_view("viewed", 4), &u, &n, &o);
	greet(huge, "v", &u, &n, &o);
	return 0;
}
C
g++ -std=c++17 -g -O1 -o s s.cc || fail "no program"
trace -q -n 'pid$target:a.out:greet:entry { printf("%s|%s|%s|%d|", args[0], args[1], args[2]->name, strlen(args[0]));
	printf("%d%d%d\n", args[0] == "short", *args[0] == "", args[2]->name != "second");
	@[stringof(args[2]->name), stringof(*args[0]) == ""] = count(); }' -c ./s
same "$status" 0 status
contains '^short|a view of it|a name that is too long for the object itself|5|101$' out
contains '^||second|0|010$' out
contains '^ab|view|a name' out
contains '^x\{255,256\}|v|a name' out
contains 'a name that is too long for the object itself  *0  *3$' out
contains '^  second  *1  *1$' out
contains 'strings truncated to strsize' err
# keys and trace(): the string, not the address of the reference or the bytes of the object; an address by a cast
trace -q -n 'pid$target:a.out:greet:entry { @r[args[0], args[1]] = count(); @o[args[2]->name] = count(); @n[args[3]] = count(); @p[(uintptr_t)args[0] > 0] = count();
	a[args[0]] = 1; } END { printa("r %s %s %@d\n", @r); printa("o %s %@d\n", @o); printa("n %p %@d\n", @n); printa("p %d %@d\n", @p); printf("a %d%d", a["short"], a["none"]); }' -c ./s
contains '^r short a view of it 1$' out
contains '^o second 1$' out
contains '^o a name that is too long for the object itself 3$' out
contains '^n 0*x*[0-9a-f]* 4$' out
contains '^p 1 4$' out
contains '^a 10$' out
trace -q -n 'pid$target:a.out:greet:entry { trace(args[0]); trace(*args[0]); trace(args[2]->name); exit(0); }' -c ./s
contains '^shortshorta name that is too long' out
# the object is evaluated once
trace -q -n 'pid$target:a.out:greet:entry { this->u = args[2]; printf("%s ", (this->u++)->name); trace(this->u - args[2]); exit(0); }' -c ./s
contains 'object itself 1$' out
trace -q -n 'pid$target:a.out:greet:entry /args[2]->next != NULL/ { printf("%s", args[2]->next->name); exit(0); }' -c ./s
contains '^second$' out
# the program's own, before ours
cat >own.d <<'D'
translator string < "own::name" n > = copyinstr((uintptr_t)n.p, n.len);
translator string < "std::__cxx11::basic_string<char,*>" s > = strjoin("my ", copyinstr((uintptr_t)s._M_dataplus._M_p));
pid$target:a.out:greet:entry { printf("%s %s", args[3], args[0]); exit(0); }
D
trace -q -s own.d -c ./s
contains '^abc my short$' out
# a struct that is called string, but is another one; a wrong rule; a rule for no string
trace -n 'pid$target:a.out:greet:entry { printf("%s", *args[4]); }' -c ./s
same "$status" 1 status
contains 'has type struct string, but %s prints a string' err
trace -n 'translator string < "own::*" n > = n.nothing; pid$target:a.out:greet:entry { printf("%s", args[3]); }' -c ./s
same "$status" 1 status
contains 'struct name has no member nothing\|has no member nothing' err
trace -n 'translator int < "own::*" n > = 1; BEGIN { exit(0); }'
same "$status" 1 status
contains 'a translator from a pattern of types makes a string, not int' err
for pattern in '' 'struct S' 'class std::x'; do
	trace -n 'translator string < "'"$pattern"'" s > = "x"; BEGIN { exit(0); }'
	same "$status" 1 "status of the pattern '$pattern'"
	contains 'no type has the name "'"$pattern"'": it is written without struct' err
done
trace -n 'translator string < "own::*" n > { a = 1; }; BEGIN { exit(0); }'
same "$status" 1 status

# print(), at any depth: of an object, of a pointer's target, in registers, in JSON; sizes of containers
cat >c.cc <<'C'
#include <cstring>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
struct inner { long n; std::string deep; };
struct all { std::string first; inner in; std::vector<int> v; std::map<std::string, int> m; std::set<int> s; std::unordered_map<int, int> um; std::list<long> l; const std::string *p; };
__attribute__((noipa)) void look(all *a, std::string_view view) { asm volatile("" ::: "memory"); }
int main()
{
	all a{"one \"quoted\"", {7, ""}, {1, 2, 3}, {{"k", 1}}, {}, {{1, 2}}, {9, 8}, nullptr};
	look(&a, "viewed");
	alignas(all) char raw[sizeof(all)];
	memset(raw, 0x41, sizeof(raw));
	look(reinterpret_cast<all *>(raw), "of garbage");
	return 0;
}
C
g++ -std=c++17 -g -O1 -o c c.cc || fail "no program"
trace -q -n 'pid$target:a.out:look:entry { print(*args[0]); print(args[0]); print(args[1]); }' -c ./c
same "$status" 0 status
[ -s err ] && fail "a message: $(cat err)"
contains '^    string first = "one "quoted""$' out
contains '^        string deep = ""$' out
contains '^    struct vector<int, .* v = "3 elements: 1, 2, 3"$' out
contains '^    struct map<.* m = "1 element: k=1"$' out
contains '^    struct set<.* s = "0 elements"$' out
contains '^    struct unordered_map<.* um = "1 element: 1=2"$' out
contains '^    struct list<.* l = "2 elements: 9, 8"$' out
contains '\.first = (string)"one "quoted"",$' out
contains '^string_view "viewed"$' out
# what cannot be read is shown as it is in memory
contains '^  *pointer _M_p = 0x4141414141414141$' out
contains '^string_view "of garbage"$' out
trace -q -x oformat=json -n 'pid$target:a.out:look:entry { print(args[0]); exit(0); }' -c ./c
contains '"first":"one \\"quoted\\"","in":{"n":7,"deep":""},"v":"3 elements: 1, 2, 3"' out
n=0
trace -q -n 'pid$target:a.out:look:entry { this->a = args[0]; print(*(this->a++)); trace(this->a - args[0]); exit(0); }' -c ./c
contains '^1$' out

# elements, and what may be there
cat >e.cc <<'C'
#include <memory>
#include <optional>
#include <string>
#include <vector>
struct place { int x; };
struct most {
	std::vector<std::string> words;
	std::vector<long> numbers;
	std::vector<place> places;
	std::vector<double> reals;
	std::optional<short> small;
	std::optional<std::string> text;
	std::unique_ptr<place> own;
	std::shared_ptr<std::string> shared;
	std::shared_ptr<place> other;
};
__attribute__((noipa)) void look(most *m, const std::vector<long> &v) { asm volatile("" ::: "memory"); }
int main()
{
	most m;
	look(&m, m.numbers);
	m = { { "a", "", "b" }, {}, { { 1 } }, { 1.5 }, -3, "there", nullptr, std::make_shared<std::string>("held"), nullptr };
	m.own = std::make_unique<place>();
	for (long i = 0; i < 9; i++)
		m.numbers.push_back(i - 1);
	look(&m, m.numbers);
	return 0;
}
C
g++ -std=c++17 -g -O1 -o e e.cc || fail "no program"
trace -q -n 'pid$target:a.out:look:entry { print(*args[0]); @[args[1]] = count(); }' -c ./e
same "$status" 0 status
[ -s err ] && fail "a message: $(cat err)"
values() { sed -n 's/^    struct .* \([a-z]*\) = "\(.*\)"$/\1=\2/p' out | sed 's/0x[0-9a-f]*$/ADDRESS/'; }
same "$(values | tr '\n' '|')" "words=0 elements|numbers=0 elements|places=0 elements|reals=0 elements|small=nullopt|text=nullopt|own=nullptr|shared=nullptr|other=nullptr|words=3 elements: a, , b|numbers=9 elements: -1, 0, 1, 2, 3, 4, 5, 6, ...|places=1 element|reals=1 element|small=-3|text=there|own=ADDRESS|shared=held|other=nullptr|" elements
contains '^  9 elements: -1, 0, 1, 2, 3, 4, 5, 6, \.\.\. *1$' out

# pointers, NULL among them, are addresses; the value of a map where its alignment puts it; an allocator with state; large numbers
cat >o.cc <<'C'
#include <list>
#include <map>
#include <memory_resource>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
struct place { int x; };
struct most {
	std::list<int *> ints;
	std::map<int, place *> places;
	std::unordered_map<std::string, place *> named;
	std::vector<place *> vector;
	std::set<void (*)()> functions;
	std::list<const char *> words;
	std::map<int, std::optional<int>> may;
	std::unordered_map<char, std::optional<short>> small;
	std::pmr::list<int> own;
	std::list<unsigned long> large;
};
__attribute__((noipa)) void look(most *m) { asm volatile("" ::: "memory"); }
int main()
{
	static int i = 0x41424344;
	static place p = { 0x44434241 };
	most m{ { &i, nullptr }, { { 1, &p }, { 2, nullptr } }, { { "k", &p } }, { &p, nullptr }, { nullptr }, { "a", nullptr, "bc" }, { { 1, 10 }, { 2, {} } }, { { 'a', 5 } } };
	m.own = { 1, 2, 3 };
	m.large = { ~0ul, 5, 1ul << 63 };
	look(&m);
	return 0;
}
C
g++ -std=c++17 -g -O1 -o o o.cc || fail "no program"
trace -q -n 'pid$target:a.out:look:entry { print(*args[0]); }' -c ./o
same "$status" 0 status
[ -s err ] && fail "a message: $(cat err)"
same "$(sed -n 's/^    .* \([a-z]*\) = "\(.*\)"$/\1=\2/p' out | sed 's/0x[0-9a-f]\{6,\}/ADDRESS/g' | tr '\n' '|')" "ints=2 elements: ADDRESS, 0x0|places=2 elements: 1=ADDRESS, 2=0x0|named=1 element: k=ADDRESS|vector=2 elements: ADDRESS, 0x0|functions=1 element: 0x0|words=3 elements: a, 0x0, bc|may=2 elements: 1=10, 2=nullopt|small=1 element: 97=5|own=3 elements: 1, 2, 3|large=3 elements: 18446744073709551615, 5, 9223372036854775808|" "elements of other types"

# a 32-bit program: the number of elements alone
cat >f32.cc <<'C'
namespace std { inline namespace __cxx11 {
struct base { base *next, *prev; };
struct header : base { unsigned _M_size; };
template <class T> struct list { struct { header _M_node; } _M_impl; };
} }
namespace std {
template <class T> struct default_delete { };
template <class T, class D = default_delete<T> > struct unique_ptr { T *p; };
}
struct most { std::list<int> l; std::unique_ptr<int> own; int after; };
__attribute__((noipa)) void look(most *m) { asm volatile("" ::: "memory"); }
extern "C" void _start()
{
	struct node : std::base { int v; } n;
	most m;
	m.own.p = nullptr;
	m.after = n.v = 11;
	n.next = n.prev = &m.l._M_impl._M_node;
	m.l._M_impl._M_node.next = m.l._M_impl._M_node.prev = &n;
	m.l._M_impl._M_node._M_size = 1;
	look(&m);
	asm volatile("int $0x80" : : "a"(1), "b"(0));
}
C
if [ "$(uname -m)" = x86_64 ] && [ "$EXECUTOR" != process ] && g++ -m32 -g -O1 -ffreestanding -fno-exceptions -fno-pic -no-pie -nostdlib -o f32 f32.cc 2>/dev/null; then
	trace -q -n 'pid$target:a.out:look:entry { printf("[%s %s]", stringof(args[0]->l), stringof(args[0]->own)); exit(0); }' -c ./f32
	contains '^\[1 element nullptr\]$' out
	[ -s err ] && fail "a message: $(cat err)"
fi

command -v rustc >/dev/null || exit 0
cat >r.rs <<'R'
use std::hint::black_box;
struct User { name: String }
#[inline(never)] fn greet(s: &String, v: &str, u: &User) -> usize { black_box(s); black_box(v); black_box(u); s.len() + v.len() }
fn main() { let u = User { name: "Ada".to_string() }; let s = String::from("h\u{e9}llo"); black_box(greet(&s, &s[0..1], &u)); black_box(greet(&String::new(), "", &u)); }
R
HOME=/root rustc -g -C opt-level=1 -o r r.rs 2>/dev/null || exit 0
trace -q -n 'pid$target:a.out:*greet*:entry { printf("%s|%s|%s|\n", args[0], args[1], args[2]->name); }' -c ./r
contains '^h.*llo|h|Ada|$' out
contains '^||Ada|$' out
