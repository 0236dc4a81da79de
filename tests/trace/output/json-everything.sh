# What: every kind of line and of value, as the schema says; counts are the target's own.  Needs: uprobe jsonschema.
# Executors: kernel (it has stacks of the kernel).
. "$LIB"
cat >all.d <<'END'
struct point { int x; short y; };
struct point p;
BEGIN
{
	p.x = 7;
	trace(1);
	trace(-1);
	trace(0x7fffffffffffffff);
	trace(0xffffffffffffffff);
	trace("line\n\"quoted\" \\ tab\t \001");
	trace("caf\xe9");
	trace("ja: \xe6\x97\xa5");
	trace(p);
	printf("%d%% of %s\n", 50, "x");
	stack(3);
	setopt("aggsortrev");
	print(p);
}
BEGIN { trace(*(int *)16); }
pid$target::some_function:entry
{
	@calls[probefunc] = count();
	@least = min(arg0);
	@most = max(arg0);
	@mean["mean", -1] = avg(arg0);
	@deviation[arg0 % 2] = stddev(arg0);
	@powers = quantize(arg0);
	@lines[p] = lquantize(arg0, 100, 300, 50);
	@both = llquantize((int)arg0 - 500, 10, 0, 3, 10);
	@where[ustack(2)] = count();
	@what[uaddr(arg0)] = count();
	@kernel[stack(2)] = count();
}
pid$target::some_function:entry /arg0 == 1/
{
	sym((uintptr_t)1);
	usym(ucaller);
	ustack(2);
	tracemem(&`jiffies, 4);
}
END { normalize(@calls, 10); printa("%s %@d\n", @calls); printa(@least, @most); }
END { clear(@both); trunc(@what, 2); exit(3); }
END
sed -i '/tracemem/d' all.d
trace -x oformat=json -x aggpercpu -x aggpercentiles=50,99 -s all.d -c "$TRIGGERS/calls 1000"
same "$status" 3 status
[ -s err ] && fail "something on standard error"
check_json
/usr/bin/python3 - <<'END' || fail "not what was traced"
import json

lines = [json.loads(line) for line in open("out")]
records = [line for line in lines if line["type"] == "record"]
begin = records[0]
values = [action.get("values", [None])[0] for action in begin["data"]]
assert begin["probe"] == {"id": 1, "provider": "dtrace", "module": "", "function": "", "name": "BEGIN"}, begin
assert begin["line"] == 3 and begin["clause"] == 1, begin
assert values[:4] == [1, -1, {"integer": "9223372036854775807"}, {"integer": "18446744073709551615"}], values
assert values[4] == "line\n\"quoted\" \\ tab\t \x01", values[4]
assert values[5] == {"text": "caf\ufffd", "bytes": "636166e9"}, values[5]
assert values[6] == "ja: \u65e5", values[6]
assert values[7] == {"bytes": "0700000000000000"}, values[7]
assert begin["data"][8] == {"action": "printf", "text": "50% of x\n", "values": [50, "x"]}, begin["data"][8]
frames = values[9]["stack"]
assert 1 <= len(frames) <= 3 and all(f["address"].startswith("0xffff") for f in frames), frames

assert begin["data"][10] == {"action": "setopt", "values": ["aggsortrev"]}, begin["data"][10]
assert begin["data"][11] == {"action": "print", "type": "struct point", "value": {"x": 7, "y": 0}}, begin["data"][11]

error = [line for line in lines if line["type"] == "error"]
assert len(error) == 1 and error[0]["clause"] == 2, error
assert error[0]["fault"] == {"number": 1, "text": "invalid address", "action": 1, "address": "0x10"}, error

first = [r for r in records if r["probe"]["name"] == "entry"]
assert len(first) == 1 and first[0]["probe"]["function"] == "some_function", first
assert first[0]["probe"]["module"] == "calls" and first[0]["probe"]["provider"].startswith("pid"), first
stack = [a for a in first[0]["data"] if a["action"] == "ustack"][0]["values"][0]
assert stack["ustack"][0]["symbol"] == "some_function" and stack["ustack"][1]["symbol"] == "main", stack
assert stack["ustack"][0]["offset"] == 0 and stack["ustack"][1]["offset"] > 0, stack

tuples = [line for line in lines if line["type"] == "aggregation"]
def of(name):
    return [(t, v) for t in tuples for v in t["values"] if v["name"] == name]
calls = of("calls")
assert len(calls) == 1 and calls[0][0]["text"] == "some_function 100\n" and "time" in calls[0][0], calls
assert calls[0][1]["value"] == 100 and calls[0][1]["normal"] == 10, calls
assert sum(c["value"] for c in calls[0][1]["cpus"]) in range(98, 101), calls
joined = of("least")[0][0]
assert [v["value"] for v in joined["values"]] == [1, 1000] and joined["key"] == [], joined
mean = of("mean")[0]
assert mean[0]["key"] == ["mean", -1] and "time" not in mean[0], mean
assert (mean[1]["count"], mean[1]["sum"], mean[1]["value"]) == (1000, 500500, 500), mean
assert sum(v["count"] for _, v in of("deviation")) == 1000
powers = of("powers")[0][1]
assert sum(b["count"] for b in powers["buckets"]) == 1000, powers
assert {"least": 4, "most": 7, "count": 4} in powers["buckets"], powers
assert [p["percent"] for p in powers["percentiles"]] == [50, 99], powers
lines_ = of("lines")[0]
assert lines_[0]["key"] == [{"bytes": "0700000000000000"}], lines_
assert lines_[1]["buckets"][0] == {"most": 99, "count": 99}, lines_
assert lines_[1]["buckets"][-1] == {"least": 300, "count": 701}, lines_
assert of("both")[0][1]["buckets"] == [] and of("both")[0][1]["percentiles"] == [], of("both")
assert len(of("what")) == 2 and of("what")[0][0]["key"][0]["address"].startswith("0x"), of("what")
assert sum(v["value"] for _, v in of("where")) == 1000
assert lines[-1]["status"] == 3 and lines[-1]["errors"] == 1 and lines[-1]["drops"] == 0, lines[-1]
assert lines[-1]["records"] == len(records)
END
