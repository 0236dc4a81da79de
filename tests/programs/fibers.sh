#!/bin/sh
# fibers.sh [PROGRAM...] - programs that switch stacks: with all returns traced, do they say and end what they do untraced?
#
# Fibers of Ruby, greenlet of Python, coroutines of Boost, goroutines, asynchronous jobs of OpenSSL, an emulator.  Each runs untraced, from
# its start under dtrace, and again with dtrace coming while it waits.  Programs that are not installed are taken from their packages,
# where they run from a folder (packages); others are left out, which is said.  Our own processes only.  $DTRACE, as root.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/packages"
export LC_ALL=C

fail() {
	echo "$one: FAILED: $*"
	[ -s err ] && head -n 20 err
	bad=1
	return 1
}

# had COMMAND PACKAGE...
had() {
	command=$1
	shift
	command -v "$command" >/dev/null || unpacked "$@" && return
	echo "$one: left out: $command is not installed"
	return 1
}

# same FUNCTIONS COMMAND... - returns of MODULE:FUNCTION,... are traced; the command waits for the file "go" before its work
same() {
	functions=$1
	shift
	touch go
	timeout 100 "$@" >wanted 2>/dev/null
	status=$?
	[ -s wanted ] || fail "it says nothing untraced" || return
	clause="$(echo "$functions" | sed 's/\([^,]*\)/pid$target:\1:return/g') { @ = count(); }"
	timeout 300 "$DTRACE" -Zqo counts -n "$clause" -c "$*" >got 2>err || fail "dtrace's status" || return
	diff wanted got || fail "other lines under -c" || return
	grep -q '[1-9]' counts || fail "no return under -c" || return
	comes_later "$@" || return
	echo "$one: the same with$(tr -s ' \n' ' ' <counts)returns of $functions, and with$(grep '[1-9]' later | tr -s ' \n' ' ')from later on"
}

comes_later() {
	rm go
	: >later
	"$@" >got 2>/dev/null &
	child=$!
	sleep 1
	timeout 300 "$DTRACE" -Zqo later -n "BEGIN { printf(\"ready\n\"); } $clause" -p $child 2>err &
	tracer=$!
	for _ in $(seq 600); do grep -q ready later && break; sleep 0.1; done
	touch go
	wait $child
	[ $? = "$status" ] || fail "another status under -p" || return
	wait $tracer || fail "dtrace's status under -p" || return
	diff wanted got || fail "other lines under -p" || return
	grep -q '[1-9]' later || fail "no return under -p"
}

ruby_run() {
	had ruby ruby || return
	cat >code.rb <<'R'
sleep 0.01 until File.exist?("go")
numbers = Enumerator.new { |y| a, b = 0, 1; loop { y << a; a, b = b, a + b } }
puts (1..60).map { numbers.next }.last
fiber = Fiber.new { |n| loop { n = Fiber.yield(n * 2) } }
puts (1..60).sum { |n| fiber.resume(n) }
puts (1..20).map { |n| Fiber.new { raise "no" if n % 3 == 0; n }.resume rescue -n }.sum
R
	same 'libruby*:' ruby code.rb
}

greenlet_run() {
	python3 -c 'import greenlet' 2>/dev/null || unpacked python3-greenlet || return
	PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages
	export PYTHONPATH
	/usr/bin/python3 -c 'import greenlet' 2>/dev/null || { echo "$one: left out: no greenlet"; return; }
	cat >code.py <<'P'
import greenlet, os, time
while not os.path.exists("go"): time.sleep(0.01)
total = 0
def deep(n, other):
    global total
    total = (total * 31 + n) % 1000003
    return deep(n - 1, other) + 1 if n else other.switch() or 0
def one():
    for i in range(40): deep(i % 9, b)
def two():
    for i in range(40): deep(i % 5, a)
a, b = greenlet.greenlet(one), greenlet.greenlet(two)
a.switch()
print(total)
P
	same 'python3*:,_greenlet*:' /usr/bin/python3 code.py
}

go_run() {
	had go golang-go || return
	cat >code.go <<'G'
package main

import (
	"fmt"
	"os"
	"time"
)

func deep(n int, c chan int) int {
	var room [64]int
	room[n%64] = n
	if n == 0 {
		return <-c
	}
	return deep(n-1, c) + room[n%64]
}

func main() {
	for {
		if _, err := os.Stat("go"); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	total := 0
	for i := 0; i < 50; i++ {
		c, done := make(chan int), make(chan int)
		go func() { done <- deep(i*20, c) }()
		c <- i
		total += <-done
	}
	fmt.Println(total)
}
G
	GOCACHE=$PWD/cache GO111MODULE=off go build -o gocode code.go >err 2>&1 || fail "it does not compile" || return
	same 'a.out:main.*' ./gocode
}

boost_run() {
	had g++ g++ || return
	[ -e /usr/include/boost/context/fiber.hpp ] || unpacked libboost-context-dev libboost1.74-dev || { echo "$one: left out"; return; }
	cat >code.cc <<'C'
#include <boost/context/fiber.hpp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
namespace ctx = boost::context;
static long total;
__attribute__((noinline)) long step(long n) { total = total * 31 % 1000003 + n; if (n % 7 == 6) throw std::runtime_error("seven"); return n; }
__attribute__((noinline)) ctx::fiber run(ctx::fiber &&back)
{
	for (long n = 0; n < 100; n++) {
		try { step(n); } catch (std::runtime_error &) { total++; }
		back = std::move(back).resume();
	}
	return std::move(back);
}
int main()
{
	while (access("go", F_OK) != 0)
		usleep(10000);
	ctx::fiber f { run };
	while (f) { f = std::move(f).resume(); total += 3; }
	printf("%ld\n", total);
}
C
	root=
	[ -e /usr/include/boost/context/fiber.hpp ] || root="-I $PWD/root/usr/include -L $libraries"
	# shellcheck disable=SC2086 # words
	g++ -O1 -o boostcode code.cc $root -lboost_context >err 2>&1 || fail "it does not compile" || return
	same 'a.out:,libboost*:' ./boostcode
}

openssl_run() {
	had openssl openssl || return
	cat >job.c <<'C'
#include <openssl/async.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int total;
static int job(void *arg) { for (int i = 0; i < 20; i++) { total = (total * 31 + i) % 1000003; ASYNC_pause_job(); } return total; }
int main(void)
{
	while (access("go", F_OK) != 0)
		usleep(10000);
	ASYNC_JOB *j = NULL;
	ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
	int result = 0;
	for (int i = 0; i < 5; i++)
		while (ASYNC_start_job(&j, wait, &result, job, NULL, 0) == ASYNC_PAUSE)
			total++;
	printf("%d %d\n", total, result);
}
C
	flags=
	[ -e /usr/include/openssl/async.h ] || { unpacked libssl-dev || return; flags="-I $PWD/root/usr/include -I $PWD/root/usr/include/$(uname -m)-linux-gnu -L $libraries"; }
	# shellcheck disable=SC2086 # words
	gcc -O1 -o job job.c $flags -lcrypto >err 2>&1 || fail "it does not compile" || return
	same 'a.out:,libcrypto:' ./job
}

# Its code is translated into memory that no file has; its thread goes from it to functions of the emulator and back by jumps.
qemu_run() {
	had "qemu-$(uname -m)" qemu-user || return
	printf '%s\n' '#include <stdio.h>' '#include <unistd.h>' \
		'int main(void) { while (access("go", F_OK) != 0) usleep(10000); long n = 0; for (long i = 0; i < 10000; i++) n = n * 31 % 1000003 + i; printf("%ld\n", n); }' >guest.c
	gcc -O1 -static -o guest guest.c || fail "it does not compile" || return
	same 'a.out:cpu_*,a.out:tb_*,a.out:do_*,a.out:g_*' "qemu-$(uname -m)" ./guest
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
[ $# -gt 0 ] || set -- ruby greenlet go boost openssl qemu
for one; do
	mkdir "$work/$one" && cd "$work/$one" || exit 1
	"${one}_run"
done
exit "$bad"
