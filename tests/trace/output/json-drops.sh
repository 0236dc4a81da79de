# What: drops are lines with their numbers; the sum of records and drops is the number of firings. Needs: uprobe jsonschema.
# Executors: kernel process.
. "$LIB"
trace -x oformat=json -x aggsize=16k -x dropsby=clause -n 'pid$target::some_function:entry { @[arg0] = count(); }' -c "$TRIGGERS/calls 20000"
same "$status" 0 status
[ -s err ] && fail "something on standard error"
check_json
/usr/bin/python3 - "$(counted some_function)" <<'END' || fail "numbers"
import json, os, sys
lines = [json.loads(line) for line in open("out")]
drops = [line for line in lines if line["type"] == "drop"]
kept = sum(line["values"][0]["value"] for line in lines if line["type"] == "aggregation")
assert drops and all("aggregation drop" in d["text"] for d in drops), drops[:3]
by_cpu = [d for d in drops if "clause" not in d]
by_clause = [d for d in drops if "clause" in d]
assert all(("cpu" in d) == (os.environ["EXECUTOR"] != "process") for d in by_cpu) and not any("cpu" in d for d in by_clause)
dropped = sum(d["count"] for d in by_cpu if d["tag"] == "DTRACEDROP_AGGREGATION")
assert all(d["clause"] == 1 for d in by_clause) and sum(d["count"] for d in by_clause) == dropped
assert kept + dropped == int(sys.argv[1]), (kept, dropped)
assert lines[-1]["drops"] == dropped, lines[-1]
END
