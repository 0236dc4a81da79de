# What: C++ functions by patterns: those of symbols, and with :: as they are written; where only the latter fits, that is said.
#       Needs: uprobe.  Executors: kernel process.
. "$LIB"
command -v g++ >found || skip "no g++"
cat >boxes.cc <<'C'
namespace geo {
struct box {
	int width;
	__attribute__((noinline)) void grow(int n) { width += n; __asm__ volatile("" ::: "memory"); }
};
}
int main() { geo::box b{1}; b.grow(2); return b.width == 3 ? 0 : 1; }
C
g++ -O0 -o boxes boxes.cc || fail "no program"
counts() {
	must_trace -qn "pid\$target:a.out:$1:entry { @[probefunc] = count(); }" -c ./boxes
	contains 'grow.* 1$'
}
counts 'geo::box::gr*'
counts '_ZN3geo3box*'
trace -qn 'pid$target:a.out:geo*box*grow*:entry { @ = count(); }' -c ./boxes
same "$status" 1 "status of a pattern without ::"
contains 'no function there fits: geo::box::grow fits as it was written, which a pattern with "::" means$' err

# Tags of versions and arguments of templates may be left out; in quotes any character can be written.
cat >names.cc <<'C'
#include <string>
#define KEPT __attribute__((noinline))
#define STAY __asm__ volatile("" ::: "memory")
struct user {
	std::string n = "joe";
	KEPT std::string name() const { STAY; return n; }
	KEPT user &operator=(const user &o) { STAY; n = o.n; return *this; }
	KEPT bool operator<(const user &o) const { STAY; return n < o.n; }
	KEPT ~user() { STAY; }
};
template <class A, class B> struct pair_of { A a; B b; KEPT void put(A x) { STAY; a = x; } KEPT A *operator->() { STAY; return &a; } };
template <class T> KEPT T twice(T x) { STAY; return x + x; }
int main()
{
	user a, b;
	pair_of<int, long> x{};
	pair_of<int, pair_of<char, char>> y{};
	b = a;
	x.put(a < b);
	y.put(1);
	return (a.name().size() + twice(2) + twice(3l) + (x.operator->() != &x.a)) != 13;
}
C
g++ -O0 -o names names.cc || fail "no program"
means() { # FUNCTION COUNT: of functions
	must_trace -qn "pid\$target:a.out:$1:entry { @[probefunc] = count(); }" -c ./names
	same "$(grep -c '[0-9]$' out)" "$2" "functions that $1 means"
}
means user::name 1
means '"user::name() const"' 1
means '"user::~user"' 1
means '"user::operator="' 1
means '"user::operator<"' 1
means pair_of::put 2
means '"pair_of::put(int)"' 2
means '"pair_of<int, long>::put"' 1
means '"pair_of<int, pair_of<*> >::put"' 1
means '"pair_of::operator->"' 1
means twice 2
means '"twice<long>"' 1
