# What: C++ functions by patterns: those of symbols, and with :: as they are written; where only the latter fits, that is said.
#       Needs: uprobe.
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
