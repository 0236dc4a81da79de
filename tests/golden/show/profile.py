# A profile of pprof, from standard input, for people: each sample with its functions, leaf first, then mappings.
import gzip, sys


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def numbers(data):
    """A packed list."""
    ret, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        ret.append(value)
    return ret


def fields(data):
    """A message: the number of each field to its values, which are numbers or bytes."""
    ret, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at:at + value], at + value
        elif tag & 7:
            sys.exit("wire type %d" % (tag & 7))
        ret.setdefault(tag >> 3, []).append(value)
    return ret


def first(message, number):
    return message.get(number, [0])[0]


p = fields(gzip.decompress(sys.stdin.buffer.read()))
strings = [s.decode() for s in p[6]]
assert strings[0] == "" and len(strings) == len(set(strings))
by_id = {n: {first(m, 1): m for m in map(fields, p.get(n, []))} for n in (3, 4, 5)}


def string(message, number):
    return strings[first(message, number)]


def line(data):
    l = fields(data)
    f = by_id[5][first(l, 1)]
    return string(f, 2) + (" (%s:%d)" % (string(f, 4), first(l, 2)) if 4 in f else "")


def location(number):
    l = by_id[4][number]
    return (" in ".join(map(line, l.get(4, []))) or "?") + (" %d:%#x" % (first(l, 2), first(l, 3)) if 3 in l else "")


kind = fields(p[1][0])
print("type", string(kind, 1), string(kind, 2))
for s in map(fields, p.get(2, [])):
    print(*numbers(s[2][0]), *("%s=%s" % (string(l, 1), string(l, 2)) for l in map(fields, s.get(3, []))))
    for number in numbers(s[1][0]) if 1 in s else []:
        print("   ", location(number))
for number, m in by_id[3].items():
    has = [word for n, word in ((7, "functions"), (8, "files"), (9, "lines"), (10, "inlined")) if n in m]
    print("mapping %d: %#x-%#x, %#x of %s" % (number, first(m, 2), first(m, 3), first(m, 4), string(m, 5)), string(m, 6), *has)
print("time", first(p, 9), "for", first(p, 10))
for packed in p.get(13, []):
    print("comment", *(strings[i] for i in numbers(packed)))
