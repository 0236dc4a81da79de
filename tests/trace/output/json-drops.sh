# What: drops are lines with their numbers; what was kept and dropped is what fired.  Needs: uprobe jsonschema.
. "$LIB"
trace -x oformat=json -x aggsize=16k -n 'pid$target::some_function:entry { @[arg0] = count(); }' -c "$TRIGGERS/calls 20000"
same "$status" 0 status
[ -s err ] && fail "something on standard error"
check_json
/usr/bin/python3 - "$(counted some_function)" <<'END' || fail "numbers"
import json, sys
lines = [json.loads(line) for line in open("out")]
drops = [line for line in lines if line["type"] == "drop"]
kept = sum(line["values"][0]["value"] for line in lines if line["type"] == "aggregation")
dropped = sum(d["count"] for d in drops if d["tag"] == "DTRACEDROP_AGGREGATION")
assert drops and all("cpu" in d and "aggregation drop" in d["text"] for d in drops), drops[:3]
assert kept + dropped == int(sys.argv[1]), (kept, dropped)
assert lines[-1]["drops"] == sum(d["count"] for d in drops), lines[-1]
END
