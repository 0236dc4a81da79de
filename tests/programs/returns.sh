#!/bin/sh
# returns.sh [PROGRAM...] - functions that end by jumps: have their returns the results that they have without jumps, or for the kernel?
#
# PostgreSQL: hash_search(), which ends by a jump, finds nothing as often as with pidret=kernel, in backends that do the same; where it
# is not installed it is left out, which is said.  mutual: two functions that jump to each other, a million times.  Our own processes
# only, on a socket file.  $DTRACE, as root.
export LC_ALL=C

fail() {
	echo "$one: FAILED: $*"
	[ -s err ] && head -n 20 err
	bad=1
	return 1
}

# searches PIDRET FILE - of a backend that does the work: how often hash_search() found nothing
searches() {
	rm -f begun sql said
	mkfifo sql
	$as_postgres "$bin/psql" -qAt postgres <sql >said 2>&1 &
	psql=$!
	exec 9>sql
	echo 'select pg_backend_pid();' >&9
	for _ in $(seq 400); do [ -s said ] && break; sleep 0.05; done
	timeout 200 "$DTRACE" -qw -x pidret="$1" -o "$2" -n 'BEGIN { system("echo begun >begun"); }
		pid$target:a.out:hash_search:return { @ = sum(!arg1); } END { printa("%@d misses\n", @); }' -p "$(head -n 1 said)" >program.out 2>err 9>&- &
	tracer=$!
	for _ in $(seq 1000); do [ -s begun ] && break; sleep 0.05; done
	cat work.sql >&9
	exec 9>&-
	wait $psql
	wait $tracer || fail "dtrace's status" || return
	[ "$1" = kernel ] || [ ! -s err ] || fail "messages"
}

postgres_run() {
	bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
	[ -n "$bin" ] || { echo "$one: left out: PostgreSQL is not installed"; return; }
	chmod 755 .. . && mkdir db && chown postgres db
	as_postgres="setpriv --reuid postgres --regid postgres --clear-groups env PGHOST=$PWD/db"
	{
		$as_postgres "$bin/initdb" -A trust -D db/data
		$as_postgres "$bin/pg_ctl" -D db/data -w -l db/log -o "-c listen_addresses= -c autovacuum=off -k $PWD/db" start
	} >postgres.log 2>&1 || fail "it does not start: $(tail -n 3 postgres.log)" || return
	master=$(head -n 1 db/data/postmaster.pid)
	{
		echo 'create temporary table t (a int primary key, b text);'
		for i in $(seq 40); do echo "insert into t values ($i, md5('$i')); select count(*) from t, pg_class where relname = b;"; done
	} >work.sql
	searches auto first && searches kernel kernel && searches auto exits && searches kernel again
	$as_postgres "$bin/pg_ctl" -D db/data -m fast stop >/dev/null
	grep -q '[1-9]' kernel && cmp -s kernel exits && cmp -s kernel again ||
		fail "by exits $(cat exits); by the kernel $(cat kernel), and again $(cat again)" || return
	echo "$one: hash_search(): $(cat exits)"
}

# Each jump's return fires: without its result where the next turn comes first.
mutual_run() {
	cat >code.c <<'C'
#include <stdlib.h>
#define F __attribute__((noinline, noclone))
int F odd(int n);
int F even(int n) { __asm__ volatile("" : "+r"(n)); return n ? odd(n - 1) : 7; }
int F odd(int n) { __asm__ volatile("" : "+r"(n)); return n ? even(n - 1) : 8; }
int main(int argc, char **argv) { return even(atoi(argv[1])); }
C
	gcc -O2 -o code code.c >err 2>&1 || fail "it does not compile" || return
	began=$(date +%s)
	timeout 500 "$DTRACE" -q -o got -n 'pid$target:a.out:even:return,pid$target:a.out:odd:return { @[probefunc] = count(); }
		END { printa("%s %@d\n", @); }' -c './code 1000000' >program.out 2>err || fail "dtrace's status" || return
	[ ! -s err ] || fail "messages" || return
	printf 'even 500001\nodd 500000\n' >wanted
	grep . got | sort | diff wanted - || fail "other counts" || return
	echo "$one: 1,000,001 returns in $(($(date +%s) - began)) s"
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
[ $# -gt 0 ] || set -- postgres mutual
for one; do
	mkdir "$work/$one" && cd "$work/$one" || exit 1
	"${one}_run"
done
exit "$bad"
