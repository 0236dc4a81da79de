#!/bin/sh
# stacks.sh [-n STOPS] [-v] [PROGRAM...] - user stacks of real programs: whole, and equal to libdw's?
#
# Each program is stopped at most STOPS times in each of three events: malloc(), write(2) and profile-997.  At each stop
# libdw walks the stack of the same registers (libdw_walk.c), and compare.py compares.  At least 99 % of the stacks must be
# whole, and of those that libdw can finish 99 % must be equal.  Programs that are not installed are taken from their packages, where
# they run from a folder (packages); others are left out, which is said.
#
# Four are daemons with clients.  Programs that we start; nothing else is traced or stopped.  $DTRACE, as root.  RUN_LIMIT: seconds
# for one program and event.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/packages"
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

# NAME, the command that must be there, the package that has it (-: it must be installed), what runs: words without quotes.
programs() {
	cat <<'P'
xz       xz           xz-utils      xz -kc -T1 data
gzip     gzip         -             gzip -9c data
python   python3      -             /usr/bin/python3 code.py
perl     perl         -             perl code.pl
bash     bash         -             bash code.bash
mawk     mawk         mawk          mawk -f code.awk
gawk     gawk         gawk          gawk -f code.awk
cc1      gcc          -             $(gcc -print-prog-name=cc1) -quiet -O2 code.c -o -
as       as           -             as -o code.o code.s
cc1plus  g++          -             $(g++ -print-prog-name=cc1plus) -quiet -O2 code.cc -o -
clang    clang-14     -             clang-14 -O2 -S code.c -o -
sqlite   sqlite3      sqlite3       sqlite3 -init code.sql :memory: .quit
openssl  openssl      openssl       openssl speed -seconds 1 sha256 rsa2048
sort     sort         -             sort --parallel=1 -S 1M data
gdb      gdb          gdb           gdb -nx -batch -x code.gdb $DTRACE
vim      vim          vim           vim -u NONE -es -S code.vim
rust     rustc        -             $(rustc --print sysroot)/bin/rustc -O --emit=asm code.rs -o -
node     node         nodejs        node code.js
java     java         -             java -XX:+PreserveFramePointer -Xint Code.java
redis    redis-server redis-server  @redis
postgres postgres     -             @postgres
tls      openssl      -             @tls
nginx    nginx        nginx         @nginx
P
}

# Daemons, of our own, on a socket file or on loopback: start one with its load; $daemon is the process to be traced, $started are all
# to be ended.  Again for each event, because libdw_walk kills the process in the end.
redis_begin() {
	rm -f redis.sock
	redis-server --port 0 --unixsocket "$work/redis.sock" --daemonize no --save "" --appendonly no >redis.log 2>&1 &
	daemon=$!
	for _ in $(seq 3000); do [ -S redis.sock ] && break; sleep 0.02; done
	redis-benchmark -s "$work/redis.sock" -n 100000000 -r 10000 -t set,lpush,mset -d 200 >/dev/null 2>&1 &
	started="$daemon $!"
}

as_postgres() {
	setpriv --reuid postgres --regid postgres --clear-groups env PGHOST="$work/db" "$@"
}

postgres_begin() {
	bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
	chmod 755 "$work"
	rm -rf db answers && mkdir db && chown postgres db
	as_postgres "$bin/initdb" -A trust -D db/data >/dev/null 2>&1
	as_postgres "$bin/postgres" -D "$work/db/data" -c listen_addresses= -k "$work/db" -c restart_after_crash=off >postgres.log 2>&1 &
	started=$!
	for _ in $(seq 3000); do [ -S db/.s.PGSQL.5432 ] && break; sleep 0.02; done
	{
		echo 'select pg_backend_pid();'
		yes 'select md5(string_agg(i::text, $$,$$ order by i desc)) from generate_series(1, 3000) i;'
	} | as_postgres "$bin/psql" -qAt postgres >answers 2>/dev/null &
	started="$started $!"
	for _ in $(seq 3000); do [ -s answers ] && break; sleep 0.02; done
	daemon=$(head -n 1 answers)
}

# What an HTTPS server does: a handshake and a page for each connection.
tls_begin() {
	[ -s key.pem ] || openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=localhost >/dev/null 2>&1
	port=$((20000 + $$ % 20000))
	openssl s_server -accept 127.0.0.1:$port -key key.pem -cert cert.pem -www -quiet >/dev/null 2>&1 &
	daemon=$!
	while kill -0 $daemon 2>/dev/null; do curl -sk -o page https://127.0.0.1:$port/; done &
	started="$daemon $!"
}

# A worker of nginx, which writes a line to its log for each page.
nginx_begin() {
	port=$((20000 + $$ % 20000))
	mkdir -p nginx && cp code.c nginx/
	cat >nginx/conf <<-N
		daemon off; worker_processes 1; user root; pid $work/nginx/pid; error_log $work/nginx/errors;
		events {}
		http { client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
		server { listen 127.0.0.1:$port; root $work/nginx; access_log $work/nginx/log; keepalive_requests 1000; } }
	N
	nginx -p "$work/nginx" -c "$work/nginx/conf" >nginx.log 2>&1 &
	master=$!
	for _ in $(seq 3000); do daemon=$(pgrep -P $master) && break; kill -0 $master || break; sleep 0.02; done
	while kill -0 $master 2>/dev/null; do curl -s -o page "http://127.0.0.1:$port/code.c?[1-1000]"; done &
	started="$master $!"
}

daemon_end() {
	for one in $daemon $started; do kill "$one" 2>/dev/null; done
	for one in $started; do wait "$one" 2>/dev/null; done
}

make_inputs() {
	cat "$DTRACE" "$DTRACE" "$DTRACE" "$DTRACE" >data
	for i in $(seq 300); do
		echo "int f$i(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * $i + (p[i] > s ? f$((i > 1 ? i - 1 : 1))(p, n / 2) : 3); return s; }"
	done >code.c
	{ printf '#include <regex>\n#include <map>\n#include <iostream>\n' && cat code.c; } >code.cc
	seq 300000 | sed 's/.*/f&: .long f& - f1 + &, &/' >code.s
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
	echo 'public class Code { static int f(int n) { return n < 2 ? new StringBuilder().append(n).length() : f(n - 1) + f(n - 2); } public static void main(String[] a) { for (int i = 0; i < 1000000; i++) System.out.println(f(12)); } }' >Code.java
	printf 'let i = 0\nwhile i < 400000\nlet i += 1\nlet x = split(string(i), 1)\nendwhile\nw! out.vim\nq!\n' >code.vim
	echo 'for (let i = 0; i < 2e6; i++) console.log(JSON.stringify({ a: i, b: [i, i] }))' >code.js
}

probe_of() { # EVENT
	case $1 in
	malloc) echo 'pid$target:lib*:malloc:entry /timestamp > due/' ;;
	write) echo 'syscall::write:entry, syscall::sendto:entry /pid == $target && timestamp > due/' ;;
	profile) echo 'profile-997 /pid == $target/' ;;
	esac
}

# The number of the process is in the file pid once it runs; libdw_walk ends it.
run() { # EVENT -c|-p COMMAND|NUMBER
	rm -f pid ours
	./libdw_walk pid "$stops" >libdw 2>libdw.err &
	walker=$!
	timeout "${RUN_LIMIT:-120}" "$DTRACE" -w -q -Z -x oformat=json -o ours -n 'BEGIN { due = timestamp; system("echo %d >pid", $target); }' \
		-n "$(probe_of "$1") { due = timestamp + 2000000; trace(tid); trace(uregs[$pc]); trace(uregs[$sp]); ustack(1000); stop(); }" \
		"$2" "$3" >/dev/null 2>ours.err
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
while read -r name needs package command; do
	[ $# -eq 0 ] || case $wanted in *" $name "*) ;; *) continue ;; esac
	command -v "$needs" >/dev/null || { [ "$package" != - ] && unpacked "$package"; } || { echo "$name: $needs is not installed"; continue; }
	eval "line=\"$command\""
	for event in malloc write profile; do
		case $line in
		@*)
			"${line#@}_begin"
			run $event -p "$daemon"
			daemon_end
			;;
		*) run $event -c "$line" ;;
		esac
		printf '%-8s %-8s %s\n' "$name" $event "$figures"
	done
done <<P
$(programs)
P
[ $bad -eq 0 ]
