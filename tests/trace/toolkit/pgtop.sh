# What: pgtop counts and measures the queries of a connection, and its transactions.  Needs: uprobe.
. "$LIB"
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
{ [ -x "$bin/postgres" ] && id postgres >/dev/null 2>&1; } || skip "no PostgreSQL is installed"
readelf -SW "$bin/postgres" | grep -q stapsdt || skip "this PostgreSQL has no static probes"

data=$(mktemp -d /tmp/dtrace-pgtop.XXXXXX) || fail "no folder"
chown postgres "$data"
as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups env PGHOST="$data" "$@"; }
trap 'as_postgres "$bin/pg_ctl" -D "$data/db" -m immediate stop >/dev/null 2>&1; rm -rf "$data"' EXIT
as_postgres "$bin/initdb" -A trust -D "$data/db" >init 2>&1 || fail "no database: $(cat init)"
as_postgres "$bin/pg_ctl" -w -D "$data/db" -o "-c listen_addresses='' -k $data" -l "$data/log" start >/dev/null ||
	fail "no server"
mkfifo sql
as_postgres "$bin/psql" -qAt postgres <sql >answers 2>&1 &
exec 3>sql
echo 'select pg_backend_pid();' >&3
until_true 20 grep -qs '^[0-9]' answers || fail "no answer"
backend=$(head -n 1 answers)
background -s pgtop -p "$backend"
until_true 20 grep -qs Measuring out || fail "never began: $(cat err)"
for i in $(seq 30); do echo 'select 4711;'; done >&3
printf 'begin;\nselect pg_sleep(0.05);\nrollback;\n' >&3
echo 'select 4712;' >&3
until_true 20 grep -qs '^4712$' answers || fail "no answers"
kill -INT "$pid"
wait "$pid" || fail "status"
[ -s err ] && fail "something is said"
awk '/ select 4711;$/ { exit !($1 == 30 && $2 >= $4 && $4 >= $3 && $3 > 0) }' out || fail "the query"
awk '/ select pg_sleep/ { exit !($1 == 1 && $2 >= 50000) }' out || fail "the slow query"
contains '^ *34 queries$'
contains '^ *1 aborts$'
contains '^ *31 commits$'
exec 3>&-
