# What: lines of JSON have what rows of several runs need to be added exactly: sums of histograms, raw values, squares, parameters. Needs: python3.
. "$LIB"
must_trace -x oformat=json -x aggpercpu -n '
BEGIN { @q = quantize(5); @q = quantize(-700); @q = quantize(1 << 40, 3);
	@keyed["a"] = quantize(7); @keyed["a"] = quantize(8, 10); @keyed["b"] = quantize(0);
	@l = lquantize(-1, 0, 100, 5); @l = lquantize(33, 0, 100, 5); @l = lquantize(1000, 0, 100, 5);
	@wide["far"] = lquantize(59999, 0, 60000, 1); @wide["far"] = lquantize(3, 0, 60000, 1, 4);
	@ll = llquantize(1234, 10, 0, 6, 20); @ll = llquantize(-1234, 10, 0, 6, 20, 2);
	@s = stddev(3); @s = stddev(-4); @large = stddev(9223372036854775807); @large = stddev(9223372036854775807);
	@n = sum(7); @m = quantize(9, 10); @cleared = quantize(11); normalize(@n, 2); normalize(@m, 3);
	@typed[execname, (size_t)1, cpu == 0] = max(timestamp); @c = count(); clear(@cleared); exit(0); }'
cat >holds.py <<'P'
import json
lines = [json.loads(line) for line in open("out")]
declared = {a["name"]: a for a in lines[0]["aggregations"]}
assert declared["l"]["parameters"] == {"low": 0, "high": 100, "step": 5}
assert declared["ll"]["parameters"] == {"factor": 10, "low": 0, "high": 6, "steps": 20}
assert "parameters" not in declared["q"] and "key_types" not in declared["q"] and "value_type" not in declared["c"]
assert declared["keyed"]["key_types"] == ["string"] and declared["typed"]["key_types"] == ["string", "unsigned long", "int"]
assert (declared["typed"]["value_type"], declared["q"]["value_type"]) == ("uint64_t", "int")
rows = {(v["name"], *l["key"]): v for l in lines if l["type"] == "aggregation" for v in l["values"]}
sums = {row: v["sum"] for row, v in rows.items() if "buckets" in v}
assert sums == {("q",): 5 - 700 + 3 * 2**40, ("keyed", "a"): 87, ("keyed", "b"): 0, ("l",): 1032, ("wide", "far"): 60011,
		("ll",): -1234, ("m",): 90, ("cleared",): 0}, sums
for name, v in rows.items():
    if "buckets" in v:
        assert sum(c["sum"] for c in v["cpus"]) == v["sum"], name
assert rows["s",]["squares"] == 25 and rows["large",]["squares"] == str(2 * (2**63 - 1)**2)
assert rows["n",]["value"] == 3 and rows["n",]["raw"] == 7 and "raw" not in rows["q",]
assert [(b["count"], b["raw"]) for b in rows["m",]["buckets"]] == [(3, 10)]
P
python3 holds.py || fail "see above"
