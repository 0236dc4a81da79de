# What: stacks of Go are whole by its own table: of goroutines, in system calls and profiles, also stripped.  Needs: go x86_64.
. "$LIB"
cat >main.go <<'G'
package main

import (
	"os"
	"strconv"
	"sync"
	"syscall"
)

var sink [8]int

//go:noinline
func leaf(n int) { syscall.Getppid(); sink[n&7]++ }

//go:noinline
func small(n int) { leaf(n + 1); sink[n&7]++ }

// Its frame is larger than a rule word can say.
//
//go:noinline
func large(n int) int {
	var room [5000]int
	for i := range room {
		room[i] = n + i
	}
	small(n)
	return room[n&4095]
}

//go:noinline
func run(times int) {
	for i := 0; i < times; i++ {
		sink[0] += large(i)
	}
}

func main() {
	times, _ := strconv.Atoi(os.Args[1])
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func() {
			run(times)
			all.Done()
		}()
	}
	all.Wait()
	run(1)
}
G
export GO111MODULE=off GOCACHE="$PWD/cache" GOFLAGS=
go build -o plain main.go || fail "cannot compile"
go build -ldflags "-s -w" -o stripped main.go || fail "cannot compile"
go build -buildmode=pie -o pie main.go || fail "cannot compile"

chain='"symbol":"main.leaf"[^]]*"symbol":"main.small"[^]]*"symbol":"main.large"[^]]*"symbol":"main.run"[^]]*"symbol":"runtime.goexit[a-z0-9.]*"[^]]*], *"pid":[0-9]*,"ended":"whole"'
for program in plain pie; do
	trace -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "./$program 50"
	same "$status $(grep -c "$chain" out)" "0 201" "whole stacks of $program"
done
trace -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "./stripped 50"
same "$status $(grep -c '"ended":"whole"' out)" "0 201" "whole stacks of the stripped program"
depths=$(grep -o '"address":' out | wc -l)
same "$((depths / 201))" 7 "frames each"

# By frame pointers the caller of a function without a frame is missing, and no end is proven.
trace -x ustack=fp -x oformat=json -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "./plain 50"
same "$(grep -c '"ended":"whole"' out)" 0 "ends proven by frame pointers"

trace -x oformat=json -n 'profile-997 /pid == $target/ { ustack(); }' -c "./plain 20000"
stacks=$(grep -c '"symbol":"main.large"' out)
[ "$stacks" -ge 20 ] || fail "only $stacks stacks in large()"
same "$(grep '"symbol":"main.large"' out | grep -vc '"ended":"whole"')" 0 "stacks in large() that are not whole"
