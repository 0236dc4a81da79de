# What: args[] of Go's functions, several results included, and of Rust's: references, strings, numbers, boxes.  Needs a compiler
# of either.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
tested=
# The stacks of goroutines are too small for the process.
if [ "$EXECUTOR" != process ] && command -v go >/dev/null; then
	tested=go
	cat >main.go <<'GO'
package main

import "os"

type Item struct {
	Name string
	N    int
	Next *Item
}

//go:noinline
func take(i *Item, n int, s string, b []byte, f float64, ok bool) int {
	if n > 100 {
		os.Exit(len(i.Name))
	}
	return i.N + n + len(s) + len(b) + int(f)
}

//go:noinline
func (i *Item) Add(k int, other Item) (int, string) {
	if k > 100 {
		os.Exit(len(i.Name))
	}
	return i.N + k + other.N, other.Name
}

//go:noinline
func half(n int) float64 {
	return float64(n) / 2
}

func main() {
	i := &Item{"one", 5, nil}
	sum, name := i.Add(3, Item{"two", 6, i})
	if take(i, 7, "hello", []byte("abcd"), 1.5, true)+sum+len(name)+int(half(3)) == 0 {
		os.Exit(1)
	}
}
GO
	GOCACHE=$PWD/cache GOFLAGS=-mod=mod go build -o main main.go || fail "go build"
	must_trace -n 'pid$target:a.out:main.take:entry { printf("%d %d %d %d\n", args[0]->N, args[1], args[3].len, args[5]); }
		pid$target:a.out:main.take:entry { printf("%s\n", copyinstr((uintptr_t)args.s.str, args.s.len + 1)); }
		pid$target:a.out:main.*Add:entry { printf("%d %d\n", args[1], args[2].N); }
		pid$target:a.out:main.take:return { printf("is %d\n", args[1]); }
		pid$target:a.out:main.*Add:return { printf("sum %d, %d\n", args[1], args[2].len); }' -c ./main
	contains '^5 7 4 1$'
	contains '^hello'
	contains '^3 6$'
	contains '^is 22$'
	contains '^sum 14, 3$'
	trace -x errtags -n 'pid$target:a.out:main.take:entry { trace(args[4]); } pid$target:a.out:main.half:return { trace(args[1]); }' -c ./main
	same "$status" 1 "status of Go"
	contains '\[D_ARGS_IDX\].*args\[4\] (f) of .* cannot be read: it is in a floating-point register' err
	contains '\[D_ARGS_IDX\].*args\[1\] of .*half:return cannot be read: it is in a floating-point register' err
fi
if command -v rustc >/dev/null; then
	tested="$tested rust"
	cat >main.rs <<'RUST'
use std::hint::black_box;
#[derive(Clone, Copy)]
pub struct Pair { pub a: i32, pub b: u16 }
pub struct Item { pub name: String, pub n: u64 }
#[inline(never)]
fn take(i: &Item, n: i32, s: &str, b: Box<Item>, p: Pair, after: u8) -> u64 { black_box((&p, after)); i.n + (n + 7) as u64 + s.len() as u64 + b.n }
fn main() {
	let i = Item { name: "one".to_string(), n: 5 };
	println!("{}", i.name.len() as u64 + take(&i, -3, "hello", Box::new(Item { name: "two".to_string(), n: 8 }), Pair { a: 1, b: 2 }, 9));
}
RUST
	rustc -g -o main main.rs || fail "rustc"
	trace -n 'pid$target:a.out:_ZN4main4take*:entry { printf("\n%d %d %d %d\n", args[0]->n, args[1], args[2].length, args[3]->n); }
		pid$target:a.out:_ZN4main4take*:return { printf("is %d\n", args[1]); }' -c ./main
	contains '^5 -3 5 8$'
	contains '^is 22$'
	trace -n 'pid$target:a.out:_ZN4main4take*:entry { trace(args.p); trace(args.after); }' -c ./main
	same "$(grep -c 'passed by a rule of its language that the debug information does not tell' err)" 2 "unknown places"
fi
[ -n "$tested" ] || skip "no compiler of Go or Rust"

command -v rustc >/dev/null || exit 0
# What an Option is passed in is not known, nor where the next argument is.
cat >option.rs <<'R'
use std::hint::black_box;
#[inline(never)]
fn choose(n: u8, o: Option<u32>, m: i64) -> i64 { black_box((n, o, m)); m }
fn main() { std::process::exit((black_box(choose(7, black_box(Some(9)), black_box(2))) - 2) as i32); }
R
rustc -g -C opt-level=0 -o option option.rs 2>/dev/null || fail "rustc"
must_trace -n 'pid$target:a.out:_ZN6option6choose*:entry { printf("\nchoose %d\n", args[0]); }' -c ./option
contains '^choose 7$'
for n in 1 2; do
	trace -x errtags -n 'pid$target:a.out:_ZN6option6choose*:entry { print(args['$n']); }' -c ./option
	same "$status" 1 "status of args[$n]"
	contains "\[D_ARGS_IDX\].*args\[$n\].* cannot be read: it is passed by a rule of its language" err
done
