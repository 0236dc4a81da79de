# SPDX-License-Identifier: BSD-2-Clause
"""random_texts - programs of random string subroutines, and what they must print by a plain model

They run at BEGIN, where dtrace is the current process, or at a function of a trigger, where reading
the process's memory may wait; both ways the process's own arguments are texts to be read.  An
expression is a pair: its D text, and a function that computes its value by the model.  Texts are
bytes without NUL, None is NULL.  Each expression is a clause of its own, for one that faults ends.
"""
import itertools
import os
import random
import re
import subprocess
import sys

EXPRESSIONS = 60  # of each program
BADADDR, ILLOP = 1, 3  # enum fault
INT64 = 1 << 63


class Fault(Exception):
    pass


class World:
    """What the clauses of a program share; VARIABLES and ARGUMENTS are texts."""

    def __init__(self, seed, size):
        self.random = random.Random(seed)
        self.size = size
        self.cuts = 0
        self.token = None  # what strtok() has left
        self.texts = [self.some_text() for _ in range(6)] + [None, b"", b"x" * size]
        self.arguments = [self.some_text() for _ in range(4)] + [b"y" * size, b"z" * (size + 1)]
        self.numbers = [self.some_number() for _ in range(6)]
        self.places = []  # of the arguments, behind the first byte of the command line

    def some_text(self, longest=None):
        r = self.random
        longest = longest if longest is not None else r.choice([3, 9, 20, 40, self.size + 2])
        alphabet = r.choice(["ab", "/.", "/..ab", "aAzZ@[`{\xe9", " -+0x19zf", ",;ab ", "aaaaaaab", "\x01\x7f\x80\xffa"])
        return "".join(r.choice(alphabet) for _ in range(r.randrange(longest + 1))).encode("latin-1")

    def some_number(self):
        r = self.random
        n = r.choice([r.randrange(-3, 9), r.randrange(-70, 70), r.getrandbits(64) - INT64,
                      self.size + r.randrange(-2, 3), r.choice([-1, 1]) * 2**r.randrange(63)])
        return max(n, 1 - INT64)

    def cut(self, text):
        """As a string holds it."""
        if len(text) > self.size:
            self.cuts += 1
        return text[: self.size]

    def given(self, text):
        """The argument of a subroutine, which must not be NULL."""
        if text is None:
            raise Fault(BADADDR)
        return text


# --- the model: each subroutine by the shortest way -----------------------------------


def to_int(n):
    return (n + 2**31) % 2**32 - 2**31


def find(s, sub, start=0):
    return min(max(start, 0), len(s)) if not sub else s.find(sub, max(start, 0))


def find_last(s, sub, start=None):
    if start is None:
        start = len(s)
    if start < 0:
        return -1 if sub else 0
    return min(start, len(s)) if not sub else s.rfind(sub, 0, start + len(sub))


def substring(s, start, n=None):
    if start < 0:
        start += len(s)
        if start < 0:
            if n is not None:
                n = n + start if n > 0 else 0
                if n <= 0:
                    return b""
            start = 0
    rest = s[start:]
    if n is None:
        return rest
    return rest[:n] if n >= 0 else rest[: max(len(rest) + n, 0)]


def last_component(path):
    if not path:
        return b"."
    return path.rstrip(b"/").split(b"/")[-1] or b"/"


def all_but_last(path):
    if not path:
        return b"."
    kept = path.rstrip(b"/")
    if not kept:
        return b"/"
    head = kept[: len(kept) - len(last_component(kept))]
    return head.rstrip(b"/") or (b"/" if head else b".")


def clean(path):
    parts = []
    for part in path.split(b"/"):
        if part == b".." and parts and parts[-1] != b"..":
            parts.pop()
        elif part not in (b"", b".") and not (part == b".." and path.startswith(b"/")):
            parts.append(part)
    if path.startswith(b"/"):
        return b"/" + b"/".join(parts)
    return b"/".join(parts) or (b"." if path else b"")


def number_text(value, base):
    if not 2 <= base <= 36:
        raise Fault(ILLOP)
    if base == 10:
        return b"%d" % value
    value %= 2**64
    digits, rest = "", value
    while rest or not digits:
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % base] + digits
        rest //= base
    prefix = "0x" if base == 16 else "0" if base == 8 and value else ""
    return (prefix + digits).encode()


def text_number(s, base):
    if not 2 <= base <= 36:
        raise Fault(ILLOP)
    blanks, sign, digits = re.match(rb"([ \t-\r]*)([-+]?)(.*)", s, re.S).groups()
    if base == 16 and re.match(rb"0[xX][0-9a-fA-F]", digits):
        digits = digits[2:]
    value = 0
    for c in digits.decode("latin-1"):
        digit = "0123456789abcdefghijklmnopqrstuvwxyz".find(c.lower() if c.isascii() else "?")
        if not 0 <= digit < base:
            break
        value = value * base + digit
    value = (-value if sign == b"-" else value) % 2**64
    return value - 2**64 if value >= INT64 else value


def tokens_of(s, delimiters):
    start = 0
    while start < len(s) and s[start] in delimiters:
        start += 1
    end = start
    while end < len(s) and s[end] not in delimiters:
        end += 1
    return (None, b"") if start == len(s) else (s[start:end], s[end:])


def next_token(w, s, delimiters):
    w.given(delimiters)
    if s is not None:
        w.token = s
    if w.token is None:
        raise Fault(BADADDR)
    token, w.token = tokens_of(w.token, delimiters)
    return token


def rest_from(s, at):
    return None if at < 0 else s[at:]


def ascii_case(s, first, last):
    return bytes(c ^ 0x20 if first <= c <= last else c for c in s)


def ipv4(b):
    return ".".join(str(c) for c in b)


def ipv6(b, strict):
    if b[:10] == bytes(10) and b[10:12] == b"\xff\xff":
        return ("::ffff:" if strict else "") + ipv4(b[12:])
    if b[:12] == bytes(12) and b[12:] not in (bytes(4), b"\0\0\0\1"):
        return ("::" if strict else "") + ipv4(b[12:])
    groups = ["%x" % int.from_bytes(b[i : i + 2], "big") for i in range(0, 16, 2)]
    for length in range(8, 1, -1):
        for start in range(0, 9 - length):
            if groups[start : start + length] == ["0"] * length:
                return ":".join(groups[:start]) + "::" + ":".join(groups[start + length :])
    return ":".join(groups)


def address_text(w, family, b):
    if family not in (2, 10):
        raise Fault(ILLOP)
    return w.cut((ipv4(b[:4]) if family == 2 else ipv6(b, True)).encode())


def link_text(w, kind, b):
    if kind not in (1, 32):
        raise Fault(ILLOP)
    return w.cut(":".join("%02x" % c for c in b[: 6 if kind == 1 else 20]).encode())


class Malformed(Exception):
    pass


class Found(Exception):
    pass


BLANKS, PLAIN = re.compile(rb"[ \t\n\r]*"), re.compile(rb"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?|true|false|null")
STRING = re.compile(rb'"(([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')


class Reader:
    """Reads a value that PATH, a list of names and indexes, leads into; None: it does not."""

    def __init__(self, s):
        self.s, self.at = s, 0

    def take(self, pattern):
        match = pattern.match(self.s, self.at)
        if not match:
            raise Malformed
        self.at = match.end()
        return match

    def mark(self, marks):
        self.take(BLANKS)
        if self.s[self.at : self.at + 1] not in marks:
            raise Malformed
        self.at += 1
        return self.s[self.at - 1]

    def value(self, path):
        self.take(BLANKS)
        start, first = self.at, self.s[self.at : self.at + 1]
        if path and first != (b"{" if isinstance(path[0], bytes) else b"["):
            raise Malformed  # it is not there, and the search is over
        if first in (b"{", b"["):
            self.at += 1
            self.members(path, first == b"{")
            if path:
                raise Malformed
            found = self.s[start : self.at]
        else:
            match = self.take(STRING if first == b'"' else PLAIN)
            found = match.group(1) if first == b'"' else match.group()
            if first != b'"' and re.match(rb"[-+.0-9a-zA-Z]", self.s[self.at :]):
                raise Malformed
        if path is not None:
            raise Found(found)

    def members(self, path, named):
        close, index, missing = b"}" if named else b"]", 0, path
        self.take(BLANKS)
        if self.s[self.at : self.at + 1] == close:
            self.at += 1
            return
        while True:
            key = index
            if named:
                self.take(BLANKS)
                key = self.take(STRING).group(1)
                self.mark([b":"])
            self.value(missing[1:] if missing and missing[0] == key else None)
            index += 1
            if self.mark([b",", close]) == close[0]:
                return


def element(s, path):
    parts = [int(i) if i else name for i, name in re.findall(rb"\[(\d+)\]|\.?([^.\[]+)", path)]
    try:
        Reader(s).value(parts)
    except Found as found:
        return found.args[0]
    except Malformed:
        return None


# --- random expressions -------------------------------------------------------------------------


def quoted(text):
    return '"' + "".join(
        chr(c) if 32 <= c < 127 and c not in b'"\\' else "\\%03o" % c for c in text) + '"'


def text_leaf(w):
    r = w.random
    kind = r.randrange(8)
    if kind < 3:
        text = w.some_text()
        return quoted(text), lambda: w.cut(text)
    if kind < 6:
        i = r.randrange(len(w.texts))
        home = r.choice(["g%d", "self->s%d", 'a["k", %d]'])
        return home % i, lambda: w.texts[i] if w.texts[i] is None else w.texts[i][: w.size]
    i = r.randrange(len(w.arguments))
    address = "curthread->mm->arg_start + %d" % w.places[i]
    if kind == 6:
        return "copyinstr(%s)" % address, lambda: w.cut(w.arguments[i])
    most = r.choice([0, 1, 5, w.size - 1, w.size, w.size + 1])
    return ("copyinstr(%s, %d)" % (address, most),
            lambda: w.cut(w.arguments[i][:most] if most <= w.size else w.arguments[i]))


def number(w, depth, low=None, high=None):
    """An int: a constant, a variable or a result.  Within LOW..HIGH mostly."""
    r = w.random
    kind = r.randrange(6)
    if low is not None and kind:
        n = r.randrange(low, high + 1)
        return (str(n), lambda: n) if n >= 0 else ("(%d)" % n, lambda: n)
    if kind == 1 and depth:
        return number_call(w, depth - 1)
    if kind < 4:
        i = r.randrange(len(w.numbers))
        return "n%d" % i, lambda: w.numbers[i]
    n = w.some_number()
    return "(%d)" % n, lambda: n


def several(w, depth, count, strings=2):
    return [text(w, depth) if i < strings else number(w, depth) for i in range(count)]


def number_call(w, depth):
    r = w.random
    name = r.choice(["strlen", "index", "rindex", "strtoll"])
    s, get = text(w, depth)
    if name == "strlen":
        return "strlen(%s)" % s, lambda: len(w.given(get()))
    if name == "strtoll":
        base, get_base = number(w, depth, 2, 36)
        if r.randrange(2):
            return "strtoll(%s)" % s, lambda: text_number(w.given(get()), 10)
        return ("strtoll(%s, %s)" % (s, base),
                lambda: in_order(get, get_base, lambda a, b: text_number(w.given(a), to_int(b))))
    part, get_part = text(w, depth)
    model = find if name == "index" else find_last
    if r.randrange(2):
        return ("%s(%s, %s)" % (name, s, part),
                lambda: in_order(get, get_part, lambda a, b: model(w.given(a), w.given(b))))
    start, get_start = number(w, depth)
    return ("%s(%s, %s, %s)" % (name, s, part, start),
            lambda: in_order(get, get_part, get_start,
                             lambda a, b, c: model(w.given(a), w.given(b), to_int(c))))


def in_order(*parts):
    """Arguments first, then what is made of them."""
    return parts[-1](*[part() for part in parts[:-1]])


def one_text(w, depth):
    name, model = w.random.choice([
        ("basename", last_component), ("dirname", all_but_last), ("cleanpath", clean),
        ("toupper", lambda s: ascii_case(s, 97, 122)), ("tolower", lambda s: ascii_case(s, 65, 90))])
    s, get = text(w, depth)
    return "%s(%s)" % (name, s), lambda: w.cut(model(w.given(get())))


def two_texts(w, depth):
    name, model = w.random.choice([
        ("strjoin", lambda a, b: w.cut(w.given(a) + w.given(b))),
        ("strstr", lambda a, b: rest_from(a, w.given(a).find(w.given(b)))),
        ("strtok", lambda a, b: next_token(w, a, b))])
    (a, get_a), (b, get_b) = text(w, depth), text(w, depth)
    if name == "strtok" and w.random.randrange(2):
        return "strtok(NULL, %s)" % b, lambda: next_token(w, None, get_b())
    return "%s(%s, %s)" % (name, a, b), lambda: in_order(get_a, get_b, model)


def character(w, depth):
    name, model = w.random.choice([
        ("strchr", lambda s, c: rest_from(s + b"\0", (s + b"\0").find(c))),
        ("strrchr", lambda s, c: rest_from(s + b"\0", (s + b"\0").rfind(c)))])
    s, get = text(w, depth)
    c, get_c = w.random.choice([number(w, depth), ("'a'", lambda: 97), ("'/'", lambda: 47), ("0", lambda: 0)])
    return ("%s(%s, %s)" % (name, s, c), lambda: in_order(
        get, get_c, lambda a, b: ending(model(w.given(a), bytes([b % 256])))))


def ending(s):
    return None if s is None else s[:-1]  # the NUL that was looked for


def part_of(w, depth):
    (s, get), (start, get_start), (n, get_n) = several(w, depth, 3, 1)
    if w.random.randrange(2):
        return ("substr(%s, %s)" % (s, start),
                lambda: in_order(get, get_start, lambda a, b: substring(w.given(a), to_int(b))))
    return ("substr(%s, %s, %s)" % (s, start, n), lambda: in_order(
        get, get_start, get_n, lambda a, b, c: substring(w.given(a), to_int(b), to_int(c))))


def digits(w, depth):
    v, get = number(w, depth)
    base, get_base = number(w, depth, 2, 36)
    if w.random.randrange(2):
        return "lltostr(%s)" % v, lambda: w.cut(number_text(get(), 10))
    return ("lltostr(%s, %s)" % (v, base), lambda: in_order(
        get, get_base, lambda a, b: w.cut(number_text(a, to_int(b)))))


def address(w, depth):
    """Of random bytes in memory of alloca(), which is put in place by the comma."""
    r = w.random
    b = bytes(r.choice([0, 0, 0, 0xff, r.getrandbits(8)]) for _ in range(24))
    if r.randrange(2):  # so that IPv4 in IPv6 and runs of zeros are met
        b = bytes(r.choice([10, 8, 12])) + r.choice([b"\xff\xff", b""]) + b
    words = [int.from_bytes(b[i : i + 8], "little") for i in (0, 8, 16)]
    fill = "".join(", ((uint64_t *)p)[%d] = %d" % (i, words[i]) for i in range(3))
    memory = "(p = (char *)alloca(24)%s, %%s)" % fill
    kind, get_kind = number(w, 0, 0, 33) if r.randrange(3) else ("2", lambda: 2)
    call, model = r.choice([
        ("inet_ntoa((ipaddr_t *)p)", lambda: w.cut(ipv4(b[:4]).encode())),
        ("inet_ntoa6((in6_addr_t *)p)", lambda: w.cut(ipv6(b[:16], False).encode())),
        ("inet_ntoa6((in6_addr_t *)p, 1)", lambda: w.cut(ipv6(b[:16], True).encode())),
        ("inet_ntop(10, p)", lambda: w.cut(ipv6(b[:16], True).encode())),
        ("inet_ntop(%s, p)" % kind, lambda: address_text(w, to_int(get_kind()), b[:16])),
        ("link_ntop(1, p)", lambda: link_text(w, 1, b)),
        ("link_ntop(%s, p)" % kind, lambda: link_text(w, to_int(get_kind()), b))])
    return memory % call, model


def json_value(r, depth):
    kind = r.randrange(8) if depth else r.randrange(6)
    if kind < 6:
        return r.choice(["1", "-20", "3.5e7", "0", "true", "false", "null", '""', '"a,b]\\\\\\"}"', '"k1"', "-0.5E-3",
                         '"\\u00e9"', "01", "1.", "1-2", "nul", "+1", '"\\q"', '"\t"'][: 19 if not r.randrange(9) else 12])
    space = r.choice(["", "", " ", "\n\t "])
    values = [json_value(r, depth - 1) for _ in range(r.randrange(4))]
    if kind == 6:
        return "[" + ("," + space).join(values) + "]"
    names = [r.choice(["a", "b", "ab", "k1", ""]) for _ in values]
    return "{" + ",".join('%s"%s"%s:%s%s' % (space, n, space, space, v) for n, v in zip(names, values)) + space + "}"


def json_call(w, depth):
    r = w.random
    s = json_value(r, 4).encode("latin-1")
    if not r.randrange(3):
        at = r.randrange(len(s) + 1)
        s = s[:at] + r.choice([b"", b"x", b",", b'"', b"}", b"]", b"\\", b"\v"]) + s[at + r.randrange(2) :]
    path = "".join(r.choice([".a", ".b", ".ab", ".k1", "[0]", "[1]", "[2]"]) for _ in range(r.randrange(4)))
    path = path.lstrip(".").encode()
    return ("json(%s, %s)" % (quoted(s), quoted(path)),
            lambda: in_order(lambda: w.cut(s), lambda: w.cut(path), element))


def choice(w, depth):
    (n, get_n), (a, get_a), (b, get_b) = number(w, depth), text(w, depth), text(w, depth)
    return "(%s > 3 ? %s : %s)" % (n, a, b), lambda: get_a() if get_n() > 3 else get_b()


def text(w, depth):
    if depth <= 0 or w.random.randrange(8) == 0:
        return text_leaf(w)
    make = w.random.choice([one_text, one_text, two_texts, two_texts, character, part_of, digits, address, json_call, choice])
    return make(w, depth - 1)


# --- programs -----------------------------------------------------------------------------------


class Program:
    def __init__(self, world, probe, first_place):
        self.world, self.probe = world, probe
        w = world
        self.wanted = []
        self.lines = ["char *p; int number;"]
        at = first_place
        for argument in w.arguments:
            w.places.append(at)
            at += len(argument) + 1
        self.variables()
        self.lines.append("ERROR { printf(\"%d fault %d %x\\n\", number, arg4, arg5); }")
        for i in range(EXPRESSIONS):
            self.clause(i)
        self.lines.append("BEGIN { @k[-1, \"end\"] = sum(-1); printa(\"%d key %s|\\n\", @k); trunc(@k); exit(0); }")
        self.keys.insert(0, (-1, w.cut(b"end")))
        self.wanted += [b"%d key %s|" % pair for pair in self.keys]

    def variables(self):
        w = self.world
        self.keys = []
        for i, t in enumerate(w.texts):
            for home in "string g%d;", "self string s%d;":
                self.lines.append(home % i)
            if t is not None:
                self.lines.append('BEGIN { g%d = %s; self->s%d = g%d; a["k", %d] = g%d; }' % (i, quoted(t), i, i, i, i))
                w.cut(t)
            else:
                self.lines.append('BEGIN { g%d = a["", 0]; a["k", %d] = g%d; }' % (i, i, i))
        for i, n in enumerate(w.numbers):
            self.lines.append("int64_t n%d; BEGIN { n%d = %d; }" % (i, i, n))

    def clause(self, i):
        w = self.world
        kind = w.random.randrange(6)
        expression, get = number_call(w, 3) if kind == 5 else text(w, 3)
        self.lines.append("BEGIN { number = %d; }" % i)
        try:
            value = get()
            if value is None and kind in (1, 2):
                raise Fault(BADADDR)
        except Fault as fault:
            value = fault
        getattr(self, ["print", "record", "key", "compare", "element", "number"][kind])(i, expression, value)
        if isinstance(value, Fault):
            self.wanted.append(b"%d fault %d 0" % (i, value.args[0]))

    def print(self, i, expression, value):
        self.lines.append("BEGIN { this->r = %s; printf(\"%d %%s|\\n\", this->r == NULL ? \"NULL\" : this->r); }" % (expression, i))
        if not isinstance(value, Fault):
            self.wanted.append(b"%d %s|" % (i, self.world.cut(b"NULL") if value is None else value))

    def record(self, i, expression, value):
        self.lines.append("BEGIN { printf(\"%d %%s|\\n\", %s); }" % (i, expression))
        if not isinstance(value, Fault):
            self.wanted.append(b"%d %s|" % (i, value))

    def key(self, i, expression, value):
        self.lines.append("BEGIN { @k[number, %s] = sum(%d); }" % (expression, i))
        if not isinstance(value, Fault):
            self.keys.append((i, value))

    def compare(self, i, expression, value):
        w = self.world
        other = w.random.choice([w.some_text(), value if isinstance(value, bytes) else b"", w.texts[0]])
        operator = w.random.choice(["==", "!=", "<", "<=", ">", ">="])
        self.lines.append("BEGIN /%s %s %s/ { printf(\"%d hit\\n\"); }" % (expression, operator, quoted(other), i))
        if isinstance(value, Fault):
            return
        a, b = (value is not None, value or b""), (True, w.cut(other))
        if {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]:
            self.wanted.append(b"%d hit" % i)

    def element(self, i, expression, value):
        self.lines.append("BEGIN { self->r = %s; b[%d] = self->r; printf(\"%d %%d %%s|\\n\", b[%d] == NULL, b[%d] == NULL ? \"\" : b[%d]); b[%d] = 0; }"
                          % (expression, i, i, i, i, i, i))
        if not isinstance(value, Fault):
            self.wanted.append(b"%d %d %s|" % (i, value is None, value or b""))

    def number(self, i, expression, value):
        self.lines.append("BEGIN { printf(\"%d %%d|\\n\", %s); }" % (i, expression))
        if not isinstance(value, Fault):
            self.wanted.append(b"%d %d|" % (i, value))

    def text(self):
        return "\n".join(self.lines).replace("BEGIN", self.probe) + "\n"



def told_cuts(messages):
    return sum(int(n) for n in re.findall(rb"^dtrace: (\d+) strings? truncated", messages, re.M))


def run(w, first_words, probe, command, more=""):
    """The program, and what came out; FIRST_WORDS stand before the texts in the process's memory."""
    p = Program(w, probe, len(b"\0".join(first_words)) + 1)
    with open("random.d", "w", encoding="latin-1") as f:
        f.write(more + p.text())
    return p, subprocess.run(command, capture_output=True, timeout=60)


def run_at_begin(w, options):
    words = options + [b"--"]
    # Unused arguments are no mistake if the program uses the last one.
    last = "BEGIN { last = $%d; }\n" % (len(w.arguments) + 1)
    return run(w, words, "BEGIN", words + w.arguments + [b"0"], last)


def run_at_function(w, options):
    words = [os.environ["TRIGGERS"].encode() + b"/pointers", b"zero", b"1"]
    command = b" ".join(words + [b"'" + a + b"'" for a in w.arguments])
    return run(w, words, "pid$target::take:entry", options + [b"-c", command])


def differences(seed, size):
    """What a program does otherwise than the model says."""
    options = [os.environ["DTRACE"].encode(), b"-q", b"-x", b"strsize=%d" % size, b"-s", b"random.d"]
    w = World(seed, size)
    p, got = (run_at_begin if seed % 2 else run_at_function)(w, options)
    lines = got.stdout.rstrip(b"\n").split(b"\n")
    for wanted, line in itertools.zip_longest(b"\n".join(p.wanted).split(b"\n"), lines):
        if wanted != line:
            yield "wanted %s, got %s" % (wanted, line)
    if told_cuts(got.stderr) != w.cuts:
        yield "wanted %d cuts, got %d" % (w.cuts, told_cuts(got.stderr))
    if got.returncode:
        yield "status %d: %s" % (got.returncode, got.stderr.decode("latin-1"))


def main():
    first, count = int(os.environ.get("SEED", 1)), int(os.environ.get("COUNT", 4))
    for seed in range(first, first + count):
        for size in (2, 16, 256, 4096):
            found = list(differences(seed, size))
            if found:
                print("strsize %d, SEED=%d:" % (size, seed), *found[:8], sep="\n")
                sys.exit(1)


main()
