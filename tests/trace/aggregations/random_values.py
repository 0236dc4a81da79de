# SPDX-License-Identifier: BSD-2-Clause
"""random_values - aggregations of random values, and what they must print by a plain model

The model prints all but the bars, which are drawn from the same numbers
(tests/unit/output/histogram_test.c).
"""
import itertools
import math
import os
import random
import re
import subprocess
import sys

TYPES = [("char", 8, True), ("unsigned char", 8, False), ("short", 16, True), ("uint16_t", 16, False),
         ("int", 32, True), ("uint32_t", 32, False), ("int64_t", 64, True), ("uint64_t", 64, False)]


def narrow(n, bits, signed):
    n %= 2**bits
    return n - 2**bits if signed and n >= 2 ** (bits - 1) else n


def int64(n):
    return narrow(n, 64, True)


def constant(n):
    return "(-9223372036854775807 - 1)" if n == -(2**63) else "(%d)" % n


def divided(n, by):
    """Toward 0."""
    return n // by if n >= 0 else -(-n // by)


# --- histograms: their buckets as (label, weight for sorting), ascending, and where a value goes ---


class Quantize:
    def __init__(self, r):
        self.text, powers = "", [2**k for k in range(64)]
        labels = [-p for p in reversed(powers)] + [0] + powers[:63]
        self.buckets = [(str(p), p) for p in labels]
        self.zero = 64

    def bucket(self, x):
        return self.zero if x == 0 else self.zero + (1 if x > 0 else -1) * abs(x).bit_length()

    def shown(self, counts):
        used = [i for i, n in enumerate(counts) if n]
        if not used:
            return range(self.zero - 1, self.zero + 2)
        return range(max(used[0] - 1, 0), min(used[-1] + 2, len(counts)))

    def label(self, i, counts):
        return self.buckets[i][0]

    def values(self, r):
        k = r.choice([-1, 1]) * 2 ** r.randrange(64)
        return [r.randrange(-20, 20), r.getrandbits(64), k, k - 1, k + 1, -(2**63), 2**63 - 1]


class Lquantize(Quantize):
    def __init__(self, r):
        step = r.choice([1, 1, 2, 3, 7, 10, 1000, 65535])
        base = r.choice([0, 0, -5, r.randrange(-1000, 1000), -(2**31), 2**31 - 65537, r.randrange(-(2**31), 2**30)])
        levels = r.randrange(1, 12)
        limit = base + levels * step + r.randrange(step)
        self.base, self.step, self.levels = base, step, levels
        if limit >= 2**31:
            self.__init__(r)
            return
        self.limit = limit
        self.text = ", %d, %d" % (base, limit) + (", %d" % step if step > 1 or r.randrange(2) else "")
        end = base + levels * step
        self.buckets = [("< %d" % base, base - 1)]
        self.buckets += [(str(base + i * step), base + i * step) for i in range(levels)]
        self.buckets += [(">= %d" % end, end + 1)]
        self.zero = next((i for i, b in enumerate(self.buckets) if b[1] == 0), None)

    def bucket(self, x):
        return 0 if x < self.base else min((x - self.base) // self.step, self.levels) + 1

    def shown(self, counts):
        return Quantize.shown(self, counts) if any(counts) else range(min(3, len(counts)))

    def values(self, r):
        edge = self.base + self.step * r.randrange(self.levels + 2)
        return [edge - 1, edge, edge + 1, self.limit, r.randrange(self.base - 5, self.limit + 5),
                edge + 2**32, edge - 2**32, 2**63 - 1, -(2**63)]


def power_not_below(factor, least):
    p = factor
    while p < least:
        p *= factor
    return p


def llquantize_is_valid(f, l, h, s):
    """Solaris' rule or Oracle's."""
    if f < 2 or l > h or s < 1 or f ** (h + 1) >= 2**64:
        return False
    solaris = s >= f and s % f == 0 and power_not_below(f, s) % s == 0
    oracle = f % s == 0 if s < f else s % f == 0 and f ** (l + 1 if l else 2) % s == 0
    return solaris or oracle


class Llquantize(Quantize):
    def __init__(self, r):
        while True:
            f = r.choice([2, 3, 4, 6, 10, 16, 100, 1000])
            l, h = r.randrange(4), r.randrange(20)
            s = r.choice([1, 2, 3, 5, f, 2 * f, f * f, f * f // 2, 20, 100])
            if llquantize_is_valid(f, l, h, s) and (h - l + 1) * min(s, f**h) < 400:
                break
        self.text = ", %d, %d, %d, %d" % (f, l, h, s)
        self.low, self.end = f**l, f ** (h + 1)
        bounds = []
        for m in range(l, h + 1):
            width = max(f ** (m + 1) // s, 1)
            first = f**m // width * width + width if s < f else f**m + width
            bounds += [f**m, *range(first, f ** (m + 1), width)]
        self.bounds = bounds + [self.end]
        self.buckets = [("", -b) for b in reversed(self.bounds)] + [("", 0)] + [("", b) for b in self.bounds]
        self.zero = len(self.bounds)

    def bucket(self, x):
        place = sum(1 for b in self.bounds if b <= abs(x))
        return self.zero + (place if x > 0 else -place)

    def label(self, i, counts):
        """Bounds nearer zero; the centre has a name that depends on what is shown."""
        negative = any(counts[: self.zero])
        if i == self.zero:
            if not negative:
                return "< %d" % self.low
            return "0" if self.low == 1 else "abs() < %d" % self.low
        bound = self.buckets[i][1]
        if i in (0, len(counts) - 1):
            return "%s %d" % (">=" if bound > 0 else "<=", bound)
        return str(bound)

    def shown(self, counts):
        used = [i for i, n in enumerate(counts) if n] or [self.zero + 1]
        first = used[0] - 1 if any(counts[: self.zero]) else max(used[0] - 1, self.zero)
        return range(max(first, 0), min(used[-1] + 2, len(counts)))

    def values(self, r):
        edge = r.choice(self.bounds) * r.choice([1, 1, -1])
        return [edge - 1, edge, edge + 1, r.randrange(-self.low, self.low + 1), r.getrandbits(64), -(2**63), 2**63 - 1]


# --- functions of one number ----------------------------------------------------------------------


def average(xs, normal):
    return divided(divided(int64(sum(xs)), normal), len(xs))


def deviation(xs, normal):
    squares = sum(x * x for x in xs) % 2**128 // normal // normal // len(xs)
    return math.isqrt(max(squares - average(xs, normal) ** 2, 0))


NUMBERS = {
    "count": lambda xs, normal: len(xs) // normal,
    "sum": lambda xs, normal: divided(int64(sum(xs)), normal),
    "min": lambda xs, normal: divided(min(xs), normal),
    "max": lambda xs, normal: divided(max(xs), normal),
    "avg": average,
    "stddev": deviation,
}
HISTOGRAMS = {"quantize": Quantize, "lquantize": Lquantize, "llquantize": Llquantize}


class Aggregation:
    def __init__(self, r, name):
        self.name, self.values, self.normal = name, {}, 1
        self.function = r.choice(list(NUMBERS) + list(HISTOGRAMS) * 2)
        self.histogram = HISTOGRAMS[self.function](r) if self.function in HISTOGRAMS else None
        self.keyed = r.randrange(4)

    def some_value(self, r):
        plain = [r.randrange(-9, 10), r.randrange(-1000, 1000), r.getrandbits(64), -(2**63), 2**63 - 1]
        return r.choice(self.histogram.values(r) if self.histogram else plain[: r.choice([2, 5])])

    def statement(self, r, numbers):
        """Its text; what it adds is kept."""
        key = r.randrange(-3, 4) if self.keyed else 0
        x, (name, bits, signed) = self.some_value(r), r.choice(TYPES[-2:] * 8 + TYPES)
        x = int64(narrow(x, bits, signed))
        weight = r.choice([None, None, 1, 0, -1, r.randrange(-9, 99), r.randrange(2**40)])
        numbers += [x, weight]
        argument = "(%s)n%d" % (name, len(numbers) - 2)
        if r.randrange(2):
            argument = "(%s)%s" % (name, constant(x))
        kept = self.values.setdefault(key, [])
        if self.histogram:
            kept.append((self.histogram.bucket(x), 1 if weight is None else weight))
            argument += self.histogram.text
            if self.function == "lquantize" and weight is not None and argument.count(",") == 2:
                argument += ", 1"  # the step, before a weight
            argument += "" if weight is None else r.choice([", n%d" % (len(numbers) - 1), ", (%d)" % weight])
        else:
            kept.append(x)
        keys = "[(%s)%d]" % ("long" if self.keyed > 1 else "int", key) if self.keyed else ""
        return "@%s%s = %s(%s);" % (self.name, keys, self.function, "" if self.function == "count" else argument)

    def counts(self, key):
        counts = [0] * len(self.histogram.buckets)
        for bucket, weight in self.values[key]:
            counts[bucket] = int64(counts[bucket] + weight)
        return counts

    def sorting_value(self, key):
        if not self.histogram:
            return NUMBERS[self.function](self.values[key], 1), 0
        counts = self.counts(key)
        weight = sum(n * bucket[1] for n, bucket in zip(counts, self.histogram.buckets))
        return weight, 0 if self.histogram.zero is None else counts[self.histogram.zero]

    def lines(self):
        """What printa() shows: keys, values, rows as label and count."""
        for key in sorted(self.values, key=lambda key: (*self.sorting_value(key), key)):
            if self.keyed and self.histogram:
                yield str(key)
            if not self.histogram:
                number = str(NUMBERS[self.function](self.values[key], self.normal))
                yield "%d %s" % (key, number) if self.keyed else number
                continue
            counts = self.counts(key)
            for i in self.histogram.shown(counts):
                yield "%s | %d" % (self.histogram.label(i, counts), divided(counts[i], self.normal))


# --- programs -------------------------------------------------------------------------------------


def differences(dtrace, seed):
    r = random.Random(seed)
    aggregations = [Aggregation(r, "a%d" % i) for i in range(8)]
    numbers, statements = [], []
    for _ in range(150):
        statements.append(r.choice(aggregations).statement(r, numbers))
    used = [a for a in aggregations if a.values]
    lines = ["int64_t n%d;" % i for i in range(len(numbers))]
    lines.append("BEGIN { %s }" % " ".join("n%d = %s;" % (i, constant(n)) for i, n in enumerate(numbers) if n))
    lines += ["BEGIN { %s }" % " ".join(statements[i : i + 10]) for i in range(0, len(statements), 10)]
    wanted = []
    for a in used:
        if r.randrange(2):
            a.normal = r.choice([1, 2, 3, 7, 1000, 2**40])
            lines.append("BEGIN { normalize(@%s, %d); }" % (a.name, a.normal))
        lines.append('BEGIN { printf("%s of %s\\n"); printa(@%s); clear(@%s); trunc(@%s); }' % (a.function, a.name, a.name, a.name, a.name))
        wanted += ["%s of %s" % (a.function, a.name), *a.lines()]
    with open("random.d", "w") as f:
        f.write("\n".join(lines) + "\nBEGIN { exit(0); }\n")
    run = subprocess.run([dtrace, "-qs", "random.d"], capture_output=True, text=True, timeout=60)
    got = [re.sub(r"^([^@|]*?)[@ ]*\|[@ ]*(-?\d+)$", r"\1 | \2", re.sub(r"\s+", " ", line).strip())
           for line in run.stdout.splitlines() if line.strip() and "Distribution" not in line]
    for a, b in itertools.zip_longest(wanted, got):
        if a != b:
            yield "wanted '%s', got '%s'" % (a, b)
    if run.stderr or run.returncode:
        yield "status %d: %s" % (run.returncode, run.stderr)


def main():
    first, count = int(os.environ.get("SEED", 1)), int(os.environ.get("COUNT", 20))
    for seed in range(first, first + count):
        found = list(differences(os.environ["DTRACE"], seed))
        if found:
            print("SEED=%d:" % seed, *found[:8], sep="\n")
            sys.exit(1)


main()
