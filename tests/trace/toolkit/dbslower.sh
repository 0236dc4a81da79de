# What: dbslower shows slow queries by the libraries of databases, here private ones: SQLite's in python, and one with the calls of libpq.  Needs: uprobe cc python3.
. "$LIB"
cat >library.c <<'C'
#include <unistd.h>
__attribute__((noinline)) void *PQexec(void *c, const char *query) { usleep(query[0] == 's' ? 80000 : 100); return c; }
C
printf 'void *PQexec(void *, const char *);\nint main(void) { PQexec(0, "slow one"); PQexec(0, "quick"); return !!PQexec(0, "slow two"); }\n' >program.c
gcc -O1 -shared -fPIC -o libpq.so.5 library.c && gcc -o program program.c ./libpq.so.5 -Wl,-rpath,"$PWD" || fail "cannot compile"
tool dbslower -m 50 -f "$PWD/libpq.so.5" -c ./program
same "$(awk '$3 == "program" { print $5, $6 }' out | tr '\n' ';')" "slow one;slow two;" "queries of libpq"
contains '^ *2 slow queries$'

cat >query.py <<'E2'
import sqlite3, time
c = sqlite3.connect(":memory:")
c.create_function("wait", 1, lambda ms: time.sleep(ms / 1000) or 1)
c.execute("create table t(a)")
c.execute("insert into t values (1)")
for ms in (1, 80, 90):
    c.execute("select wait(?) /* %d */ from t" % ms, (ms,)).fetchall()
E2
python=$(python3 -c 'import sys; print(sys.executable)')
library=$(python3 -c 'import _sqlite3; print(next(l.split()[-1] for l in open("/proc/self/maps") if "libsqlite3" in l))' 2>/dev/null)
[ -n "$library" ] || exit 0 # python has it inside
cp -L "$library" libsqlite3.so.0
export LD_LIBRARY_PATH="$PWD"
tool dbslower -m 50 -f "$PWD/libsqlite3.so.0" -c "$python query.py"
same "$(awk '$3 ~ /^python/ { print $8 }' out | tr '\n' ';')" "80;90;" "queries of SQLite"
