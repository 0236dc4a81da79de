# What: the first line of JSON says what an aggregation's values count, as far as the program tells. Needs: python3.
. "$LIB"
cat >units.d <<'D'
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
D
must_trace -x oformat=json -x units=@ms= -x units=@raw=pages -x units=named=bytes -s units.d
cat >holds.py <<'P'
import json
units = {a["name"]: a.get("unit") for a in json.loads(open("out").readline())["aggregations"]}
assert units == {"asked": "bytes", "raw": "pages", "named": "bytes", "declared": "bytes", "late": "ns", "ns": "ns", "us": "us",
	"rounded": "us", "ms": None, "s": "s", "total": "ns", "either": "ns", "half": None, "moment": None, "calls": None,
	"divided": None, "shifted": None, "more": "ns", "called": None,
	"constant": None, "index": None, "both": None, "mixed": None}, units
P
python3 holds.py || fail "see above"
trace -x oformat=json -x units=@nothing=x -n 'BEGIN { exit(0); }'
same "$status" 0 "status with the unit of an unknown aggregation"
contains "units=@nothing=x has no effect: there is no such aggregation" err
trace -x units=bytes -n 'BEGIN { exit(0); }'
[ "$status" -ne 0 ] || fail "a unit of no aggregation"
contains "'bytes' is not NAME=VALUE" err
