# What: the first line of JSON says what an aggregation's values count, as far as the program tells. Needs: python3.
. "$LIB"
cat >units.d <<'D'
size_t seen, of[int], took, settings;
self ssize_t got;
syscall::read:entry
{
	self->t = timestamp; self->v = vtimestamp; start[tid] = walltimestamp;
	@asked = quantize(args[2]); @raw = sum(arg2); @named = sum(arg2); @declared = sum((size_t)arg1);
}
syscall::read:return /self->t/
{
	this->d = (vtimestamp - self->v) / 1000;
	total += timestamp - self->t;
	@late = quantize(timestamp - later);
	@ns[execname] = quantize(timestamp - self->t); @us = avg(this->d); @rounded = avg((timestamp - self->t + 500) / 1000);
	@ms = max((walltimestamp - start[tid]) / 1000000); @s = max((timestamp - self->t) / 1000 / 1000000);
	@total = max(total); @either = sum(this->d > 5 ? timestamp - self->t : 0); @half = sum((timestamp - self->t) / 2);
	@moment = max(timestamp); @calls = count(); @constant = sum(1); @index = sum(arg0 + 1);
	this->divided = timestamp - self->t; this->divided /= 1000; @divided = sum(this->divided);
	this->shifted = timestamp - self->t; this->shifted >>= 20; @shifted = sum(this->shifted);
	this->more = timestamp - self->t; this->more += 5; @more = sum(this->more); calls++; @called = max(calls);
	@both = sum(timestamp - self->t); @both = sum((size_t)arg1); @mixed = sum(changed);
	changed = timestamp - self->t; changed = this->d; later = timestamp;
	self->t = 0; start[tid] = 0;
}
BEGIN { later = 0; exit(0); }
syscall::write:entry /self->t/
{
	seen += arg2; self->got = arg1; of[1] = arg2; took = timestamp - self->t;
	@seen = max(seen); @got = sum(self->got); @element = sum(of[1]); @took = sum(took); @fixed = sum(settings);
	@next = sum(seen + 1); @product = sum(seen * 2); @copied = sum(copy); copy = seen;
}
D
must_trace -x oformat=json -x units=@ms= -x units=@raw=pages -x units=named=bytes -s units.d
cat >holds.py <<'P'
import json
units = {a["name"]: a.get("unit") for a in json.loads(open("out").readline())["aggregations"]}
assert units == {"asked": "bytes", "raw": "pages", "named": "bytes", "declared": "bytes", "late": "ns", "ns": "ns", "us": "us",
	"rounded": "us", "ms": None, "s": "s", "total": "ns", "either": "ns", "half": None, "moment": None, "calls": None,
	"divided": None, "shifted": None, "more": "ns", "called": None,
	"seen": "bytes", "got": "bytes", "element": "bytes", "took": "ns", "fixed": "bytes", "next": "bytes", "product": None,
	"copied": "bytes",
	"constant": None, "index": None, "both": None, "mixed": None}, units
P
python3 holds.py || fail "see above"
for setting in units=@nothing=x units=nothing=x labels=@nothing=x show=@nothing show=nothing; do
	trace -x oformat=openmetrics -x $setting -n 'BEGIN { @calls = count(); exit(0); }'
	same "$status" 1 "status of $setting, of an unknown aggregation"
	same "$(cat out err)" "dtrace: could not enable tracing: -x $setting: the program has no aggregation @nothing" "message of $setting"
done
trace -x units=@call=x -n 'BEGIN { @calls = count(); exit(0); }'
contains "-x units=@call=x: the program has no aggregation @call; did you mean @calls?" err
trace -x units=@=x -n 'BEGIN { @calls = count(); exit(0); }'
contains "-x units=@=x: the program has no aggregation @" err
must_trace -x units=@=x -x oformat=openmetrics -x labels=@=x -x show=@ -n 'BEGIN { @["a"] = count(); exit(0); }'
contains 'dtrace_count_total{x="a"} 1' out
trace -x labels=@calls=x -x oformat=openmetrics -Zn 'nosuch:::probe { @calls = count(); } BEGIN { exit(0); }'
same "$status" 0 "labels of a clause without probes"
must_trace -x oformat=json -n 'BEGIN { @calls = count(); exit(0); }'
for form in openmetrics otlp; do
	"$DTRACE" --show=$form -x labels=@nothing=x out >shown 2>&1 && fail "labels of an aggregation that the run does not have"
	contains "$form: -x labels=@nothing=x: the run has no aggregation @nothing" shown
done
trace -x units=bytes -n 'BEGIN { exit(0); }'
[ "$status" -ne 0 ] || fail "a unit of no aggregation"
contains "'bytes' is not NAME=VALUE" err
