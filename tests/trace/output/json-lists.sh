# What: lists of probes and mistakes of programs are lines of JSON, too. Needs: python3.
. "$LIB"
trace -x oformat=json -lvvn 'syscall::read:entry,dtrace:::BEGIN,io:::start'
same "$status" 0 "the status of a list"
check_json out
cat >list.py <<'P'
import json
rows = {(r["provider"], r["function"], r["name"]): r for r in map(json.loads, open("out"))}
read = rows["syscall", "read", "entry"]
assert [a["type"] for a in read["arguments"]] == ["int", "void *", "size_t"] and read["events"] == ["syscall read entry"], read
assert rows["dtrace", "", "BEGIN"]["arguments"] == rows["dtrace", "", "BEGIN"]["events"] == []
assert [a["type"] for a in rows["io", "", "start"]["arguments"]] == ["bufinfo_t *", "devinfo_t *", "fileinfo_t *"]
assert set(rows) == {("syscall", "read", "entry"), ("dtrace", "", "BEGIN"), ("io", "", "start")}, set(rows)
P
python3 list.py || fail "see above"

# All that text has, and nothing else.
"$DTRACE" -ln 'syscall:::' | tail -n +2 | awk '{ print $1, $2, $3, $4, $5 }' >text
"$DTRACE" -x oformat=stream -ln 'syscall:::' >out
python3 -c 'import json, sys
for line in open("out"):
    p = json.loads(line)
    print(*(p[m] for m in ("id", "provider", "module", "function", "name")))' | cmp - text || fail "another list than as text"

printf 'BEGIN\n{\n\ttrace(x);\n\ty = ;\n}\n' >wrong.d
printf 'BEGIN { trace(1);\n\t@a = count(1); @b = sum(); trace(z\377); }' >bytes.d
trace -x oformat=json -s wrong.d -o mistakes
same "$status" 1 "the status of a program with a mistake"
contains 'line 4: an expression is expected' err
check_json mistakes
same "$(cat mistakes)" '{"type":"mistake","tag":"D_SYNTAX","text":"an expression is expected near \";\"","file":"wrong.d","line":4,"column":6,"length":1}' "a mistake"
trace -x oformat=stream -n 'BEGIN { x = "a";
	x = 1; nothing(); }'
check_json out
same "$(grep -o '"line":.*' out | tr -d '}' | paste -s)" '"line":2,"column":2,"length":5	"line":2,"column":9,"length":9' "places"
trace -x oformat=json -s bytes.d
check_json out
trace -x oformat=folded -n 'BEGIN { trace(x); }'
[ -s out ] && fail "a mistake is drawn"
contains 'x is unknown' err
trace -x oformat=json -n 'BEGIN { trace(timestmap); }'
check_json out
contains '"remedy":"did you mean timestamp' out
