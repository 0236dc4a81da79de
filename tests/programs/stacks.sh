#!/bin/sh
# stacks.sh [-n STOPS] [-v] [PROGRAM...] - user stacks of real programs: whole, and equal to libdw's?
#
# Each program is stopped at most STOPS times in each of three events: malloc(), write(2) and profile-997.  At each stop
# libdw walks the stack of the same registers (libdw_walk.c), and compare.py compares.  At least 99 % of the stacks must be
# whole, and of those that libdw can finish 99 % must be equal.  Programs that are not installed are left out, which is said.
#
# Programs that we start; nothing else is traced or stopped.  $DTRACE, as root.  RUN_LIMIT: seconds for one program and event.
here=$(cd "$(dirname "$0")" && pwd)
stops=200
pc=R_RIP sp=R_RSP
[ "$(uname -m)" != aarch64 ] || pc=R_PC sp=R_SP
verbose=
while getopts n:v option; do
	case $option in
	n) stops=$OPTARG ;;
	v) verbose=-v ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))

# NAME, the command that must be there, what runs: words without quotes.
programs() {
	cat <<'P'
xz       xz          xz -kc -T1 data
gzip     gzip        gzip -9c data
python   python3     /usr/bin/python3 code.py
perl     perl        perl code.pl
bash     bash        bash code.bash
mawk     mawk        mawk -f code.awk
gawk     gawk        gawk -f code.awk
cc1      gcc         $(gcc -print-prog-name=cc1) -quiet -O2 code.c -o -
cc1plus  g++         $(g++ -print-prog-name=cc1plus) -quiet -O2 code.cc -o -
clang    clang-14    clang-14 -O2 -S code.c -o -
sqlite   sqlite3     sqlite3 -init code.sql :memory: .quit
openssl  openssl     openssl speed -seconds 1 sha256 rsa2048
sort     sort        sort --parallel=1 -S 1M data
gdb      gdb         gdb -nx -batch -x code.gdb $DTRACE
vim      vim         vim -u NONE -es -S code.vim
rust     rustc       $(rustc --print sysroot)/bin/rustc -O --emit=asm code.rs -o -
node     node        node code.js
P
}

make_inputs() {
	cat "$DTRACE" "$DTRACE" "$DTRACE" "$DTRACE" >data
	for i in $(seq 300); do
		echo "int f$i(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * $i + (p[i] > s ? f$((i > 1 ? i - 1 : 1))(p, n / 2) : 3); return s; }"
	done >code.c
	{ printf '#include <regex>\n#include <map>\n#include <iostream>\n' && cat code.c; } >code.cc
	echo '#![crate_type="lib"]' >code.rs
	for i in $(seq 300); do
		echo "pub fn f$i(v: &mut Vec<u64>) -> String { v.sort(); v.iter().map(|x| x + $i).map(|x| format!(\"{}\", x)).collect() }"
	done >>code.rs
	echo 'for i in range(10**6): print(hash(str(i)), sorted([str(j * i) for j in range(9)]))' >code.py
	echo 'for (1 .. 9e6) { $x{$_ % 1e3} .= q(a) if $_ % 7; print $_ if $_ % 99 == 0 }' >code.pl
	echo 'f() { if [ $1 -gt 0 ]; then f $(($1 - 1)); else echo $1; fi; }; for i in {1..3000}; do f 10; done' >code.bash
	echo 'BEGIN { for (i = 0; i < 9e6; i++) { x[i % 999] = x[i % 9] i % 9; if (i % 99 == 0) print i } }' >code.awk
	echo 'with recursive n(i) as (select 1 union all select i + 1 from n limit 3000000) select i, hex(i) from n;' >code.sql
	echo 'info functions' >code.gdb
	printf 'let i = 0\nwhile i < 400000\nlet i += 1\nlet x = split(string(i), 1)\nendwhile\nw! out.vim\nq!\n' >code.vim
	echo 'for (let i = 0; i < 2e6; i++) console.log(JSON.stringify({ a: i, b: [i, i] }))' >code.js
}

probe_of() { # EVENT
	case $1 in
	malloc) echo 'pid$target:libc.so.6:malloc:entry /timestamp > due/' ;;
	write) echo 'syscall::write:entry /pid == $target && timestamp > due/' ;;
	profile) echo 'profile-997 /pid == $target/' ;;
	esac
}

# The number of the process is in the file pid once it runs; libdw_walk ends it.
run() { # EVENT COMMAND
	rm -f pid ours
	./libdw_walk pid "$stops" >libdw 2>libdw.err &
	walker=$!
	timeout "${RUN_LIMIT:-120}" "$DTRACE" -w -q -Z -x oformat=json -o ours -n 'BEGIN { due = timestamp; system("echo %d >pid", $target); }' \
		-n "$(probe_of "$1") { due = timestamp + 2000000; trace(tid); trace(uregs[$pc]); trace(uregs[$sp]); ustack(1000); stop(); }" \
		-c "$2" >/dev/null 2>ours.err
	kill "$walker" 2>/dev/null
	wait "$walker"
	figures=$(/usr/bin/python3 "$here/compare.py" ours libdw $verbose) || bad=$((bad + 1))
	case $1$figures in
	profile0* | write0*) bad=$((bad + 1)) && cat ours.err libdw.err ;; # some programs call no malloc()
	esac
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
gcc -O2 -o libdw_walk "$here/libdw_walk.c" -ldw || exit 1
make_inputs
bad=0
wanted=" $* "
while read -r name needs command; do
	[ $# -eq 0 ] || case $wanted in *" $name "*) ;; *) continue ;; esac
	command -v "$needs" >/dev/null || { echo "$name: $needs is not installed"; continue; }
	eval "line=\"$command\""
	for event in malloc write profile; do
		run $event "$line"
		printf '%-8s %-8s %s\n' "$name" $event "$figures"
	done
done <<P
$(programs)
P
[ $bad -eq 0 ]
