#!/bin/sh
# otlp.sh - bodies of oformat=otlp have the members, and the values, that npm's @opentelemetry/otlp-transformer writes for the same metrics
#
# Its packages (of the registry of npm; 20 MB) are put into a temporary folder.
DTRACE=$(realpath "${DTRACE:-build/dtrace}")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
{ command -v node && timeout 300 npm install --no-audit --no-fund --ignore-scripts @opentelemetry/otlp-transformer @opentelemetry/sdk-metrics \
	@opentelemetry/resources; } >npm.log 2>&1 || {
	echo "skipped otlp: no packages of npm"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}
{
	echo '{"type":"start","version":1,"host":"h","wall_offset":"1795231360260667244","aggregations":[{"name":"seconds","function":"lquantize","key":[],"value":"x","unit":"s","parameters":{"low":2,"high":3,"step":1}}]}'
	printf '{"type":"aggregation","time":%s,"printing":1,"to":%s,"key":[%s],"values":[%s]}\n' \
		1 1 '"sh"' '{"name":"calls","function":"count","from":1,"value":5}' \
		2 2 '' '{"name":"level","function":"max","from":1,"value":-2}' \
		3 3 '' '{"name":"seconds","function":"lquantize","from":1,"sum":9,"buckets":[{"most":1,"count":1},{"least":2,"most":2,"count":3},{"least":3,"count":1}]}'
} | "$DTRACE" --show=otlp 2>/dev/null >ours.json
cat >theirs.js <<'JS'
const { JsonMetricsSerializer } = require('@opentelemetry/otlp-transformer');
const sdk = require('@opentelemetry/sdk-metrics');
const { resourceFromAttributes } = require('@opentelemetry/resources');
(async () => {
	const exporter = new sdk.InMemoryMetricExporter(sdk.AggregationTemporality.CUMULATIVE);
	const reader = new sdk.PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 100000 });
	const resource = resourceFromAttributes({ 'service.name': 'dtrace', 'host.name': 'h' });
	const meter = new sdk.MeterProvider({ resource, readers: [reader] }).getMeter('dtrace');
	const options = { description: '', unit: '', valueType: 0 /* INT */ };
	meter.createCounter('dtrace.calls', options).add(5, { key1: 'sh' });
	meter.createGauge('dtrace.level', options).record(-2);
	const h = meter.createHistogram('dtrace.seconds', { unit: 's', advice: { explicitBucketBoundaries: [1, 2] } });
	for (const v of [0, 2, 2, 2, 3]) h.record(v);
	await reader.forceFlush();
	process.stdout.write(Buffer.from(JsonMetricsSerializer.serializeRequest(exporter.getMetrics()[0])));
	process.exit(0);
})();
JS
timeout 60 node theirs.js >theirs.json || { echo "0 passed, 1 failed, 0 skipped"; exit 1; }
cat >compare.py <<'PY'
import json, sys
ours, theirs = (json.load(open(f)) for f in ("ours.json", "theirs.json"))
# Of protobuf's JSON form: 64-bit numbers are strings; readers take numbers, too.
wide = {"asInt", "count", "startTimeUnixNano", "timeUnixNano", "bucketCounts"}
def metrics(body):
    return {m["name"]: m for m in body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]}
def paths(v, at=""):
    if isinstance(v, dict):
        return {p for k, x in v.items() for p in paths(x, at + "." + k)}
    if isinstance(v, list):
        return {p for x in v for p in paths(x, at + "[]")}
    return {at}
def points(m):
    for kind in "sum", "gauge", "histogram":
        for p in m.get(kind, {}).get("dataPoints", []):
            yield {k: [float(x) for x in v] if isinstance(v, list) and k != "attributes" else float(v) if k in wide else v
                   for k, v in p.items() if "Time" not in k and "time" not in k}
passed = failed = 0
def check(what, fine, text):
    global passed, failed
    passed, failed = passed + fine, failed + (not fine)
    if not fine:
        print("FAILED", what, text)
a, b = metrics(ours), metrics(theirs)
known = paths(theirs)
# a gauge of theirs has a double
check("members", not {p.replace("asInt", "asDouble") for p in paths(ours)} - {p.replace("asInt", "asDouble") for p in known}, paths(ours) - known)
for name in "dtrace.calls", "dtrace.level", "dtrace.seconds":
    x, y = list(points(a[name])), list(points(b[name]))
    for p in x + y:
        for k in "min", "max":
            p.pop(k, None)
        if "asInt" in p:
            p["asDouble"] = p.pop("asInt")
    check(name, x == y, (x, y))
    check(name + "'s unit", a[name]["unit"] == b[name]["unit"], a[name]["unit"])
for p in a["dtrace.calls"]["sum"]["dataPoints"] + a["dtrace.seconds"]["histogram"]["dataPoints"]:
    for k in wide & p.keys():
        v = p[k][0] if isinstance(p[k], list) else p[k]
        check(k + " is a string", isinstance(v, str), v)
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(failed > 0)
PY
python3 compare.py
