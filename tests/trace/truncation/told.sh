# What: truncated strings are reported like drops, once each, by clause on request, and change neither status nor records. Needs: uprobe jsonschema.  Executors: kernel process.
. "$LIB"
line='strings truncated to strsize (16 bytes): -x strsize=N allows longer ones$'
script='pid$target::some_function:entry { printf("%d %s\n", arg0, strjoin("123456789", lltostr(arg0))); }
pid$target::some_function:entry { n++; @ = count(); }
pid$target::some_function:entry /arg0 % 2/ { a[strjoin("1234567890123456", "7")] = strlen(strjoin("1234567890123456", "8")); }
tick-10ms { ticks++; }'

# 20000 calls, of which half truncate two joined strings; the numbers of the first clause fit.
trace -x strsize=16 -n "$script" -c "$TRIGGERS/calls 20000"
same "$status" 0 status
same "$(sed -n "s/^dtrace: \([0-9]*\) $line/\1/p" err | awk '{ n += $1 } END { print n }')" 20000 "cuts in 10000 firings"
same "$(grep -c '^[0-9]* 123456789[0-9]*$' out)" 20000 records

# All at once, at the end, with tag and clause; the sums agree.  A predicate counts for its clause, too.
trace -x strsize=13 -x dropsby=clause -x droptags -x statusrate=1hour -n "$script" -n '
	pid$target::some_function:entry /strlen(execname) != strlen("12345678901234")/ { exit(7); }' -c "$TRIGGERS/calls 20000 10"
[ "$status" -eq 7 ] || fail "status $status"
tag='dtrace: \[DTRACEDROP_STRSIZE\]'
same "$(grep -c "^$tag [0-9]* strings\{0,1\} truncated to strsize (13 bytes)" err)" 1 "messages"
same "$(grep -c "^$tag of these, [0-9]* strings\{0,1\} in clause [0-9]* (" err)" 2 "clauses"
contains "^$tag of these, 1 string in clause 5 (pid[0-9]*::some_function:entry, line 2)$" err
same "$(sed -n 's/.*of these, \([0-9]*\) .*/\1/p' err | awk '{ n += $1 } END { print n }')" \
	"$(sed -n "s/^$tag \([0-9]*\) strings* truncated.*/\1/p" err)" "sum over clauses"

# As JSON: lines like those of drops, and a number of its own at the end.
trace -x strsize=16 -x oformat=json -x dropsby=clause -n "$script" -c "$TRIGGERS/calls 20000"
same "$status" 0 status
[ -s err ] && fail "something on standard error"
check_json
/usr/bin/python3 - <<'END' || fail "numbers"
import json
lines = [json.loads(line) for line in open("out")]
drops = [line for line in lines if line["type"] == "drop"]
assert drops and all(d["tag"] == "DTRACEDROP_STRSIZE" for d in drops), drops[:3]
assert sum(d["count"] for d in drops if "clause" not in d) == 20000
assert sum(d["count"] for d in drops if "clause" in d and d["clause"] == 3) == 20000
assert lines[-1]["cuts"] == 20000 and lines[-1]["drops"] == 0 and lines[-1]["status"] == 0, lines[-1]
END

# The greatest strsize has no remedy to report.
trace -x strsize=64k -n 'pid$target::take:entry { trace(strlen(copyinstr(arg0))); }' -c "$TRIGGERS/texts 65537"
contains '^dtrace: 1 string truncated to strsize (65536 bytes, the maximum)$' err
