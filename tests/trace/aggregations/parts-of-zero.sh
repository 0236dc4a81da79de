# What: aggpercpu shows the part of a CPU whose value is zero, the least or the greatest number; after clear() only the parts of later values.
. "$LIB"
program='inline int64_t INT64_MAX = 9223372036854775807;
inline int64_t INT64_MIN = -INT64_MAX - 1;
BEGIN
{
	@max = max(INT64_MIN); @min = min(INT64_MAX); @sum = sum(0);
	@maxima["of"] = max(INT64_MIN); @zero["of"] = max(0); @minima["of"] = min(INT64_MAX); @sums["of"] = sum(0);
	@weights["of"] = lquantize(1, 0, 2, 1, 3); @weights["of"] = lquantize(1, 0, 2, 1, -3);
	@cleared["of"] = sum(5); clear(@cleared);
	exit(0);
}'
must_trace -x aggpercpu -x oformat=json -n "$program"
grep '"type":"aggregation"' out | python3 -c '
import json, sys
for line in map(json.loads, sys.stdin):
    value = line["values"][0]
    parts = [part["value"] if "value" in part else part["buckets"] for part in value.get("cpus", [])]
    print(value["name"], value.get("value", "-"), *parts)
' | sort >shown
cat >wanted <<'END'
cleared 0
max -9223372036854775808 -9223372036854775808
maxima -9223372036854775808 -9223372036854775808
min 9223372036854775807 9223372036854775807
minima 9223372036854775807 9223372036854775807
sum 0 0
sums 0 0
weights - []
zero 0 0
END
diff wanted shown || fail "the parts of the CPUs"
