# SPDX-License-Identifier: BSD-2-Clause
"""random_programs - random D programs, and what they must print by a plain model

Variables of every scope, of integers, strings and structs (with arrays and bit-fields), as
scalars, C arrays and associative arrays, are assigned, updated and printed by several clauses
with conditions.  The model keeps one value for each place.
"""
import os
import random
import subprocess
import sys

INTEGERS = {"signed char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False),
            "int": (32, True), "unsigned int": (32, False), "long": (64, True), "uint64_t": (64, False)}
BITS = {"int": True, "unsigned int": False, "uint64_t": False}  # types of bit-fields: signed?
LONGEST = 256  # characters of a string, the option strsize
SCOPES = {"": "", "self": "self->", "this": "this->"}
APPLY = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
         "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b}
COMPARE = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b}
LOGIC = {"&&": lambda a, b: bool(a and b), "||": lambda a, b: bool(a or b), "^^": lambda a, b: bool(a) != bool(b)}


def narrow(n, bits, signed):
    n %= 2**bits
    return n - 2**bits if signed and n >= 2 ** (bits - 1) else n


class Place:
    """What can be assigned to: its text, and "string" or (bits, signed)."""

    def __init__(self, text, type, begin):
        self.text, self.type, self.value = text, type, begin


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.declarations, self.places, self.printed = ["int one;"], [], []
        self.structs = {"struct s%d" % i: self.members(i) for i in range(self.random.randint(1, 3))}
        for i in range(self.random.randint(3, 9)):
            self.declare("v%d" % i)
        clauses = ["one = 1;"]
        for _ in range(self.random.randint(1, 5)):
            clauses.append(" ".join(self.statement(0, True) for _ in range(self.random.randint(1, 10))))
        clauses.append(" ".join(self.show(p, True) for p in self.places) + " exit(0);")
        self.text = "\n".join(self.declarations) + "".join("\nBEGIN { %s }" % c for c in clauses) + "\n"
        self.output = "".join(self.printed) + "\n"

    # --- declarations: each makes the places that it has room for ---

    def members(self, number):
        members = []
        for i in range(self.random.randint(1, 6)):
            kind, count = self.random.random(), self.random.randint(1, 3)
            if kind < 0.2:
                type = self.random.choice(list(BITS))
                bits = self.random.randint(1, 31)
                members.append(("m%d" % i, (bits, BITS[type]), None, "%s m%d:%d" % (type, i, bits)))
                continue
            type = self.random.choice(list(INTEGERS)) if kind < 0.7 else "string"
            array = count if self.random.random() < 0.4 else None
            members.append(("m%d" % i, INTEGERS.get(type, type), array,
                            "%s m%d%s" % (type, i, "[%d]" % count if array else "")))
        self.declarations.append("struct s%d { %s };" % (number, " ".join(m[3] + ";" for m in members)))
        return members

    def declare(self, name):
        r = self.random
        scope = r.choice(list(SCOPES))
        type = r.choice([r.choice(list(INTEGERS)), "string", r.choice(list(self.structs))])
        text, kind = SCOPES[scope] + name, r.random()
        if scope != "this" and kind < 0.35:
            keys = [r.choice(["int", "string", "long"]) for _ in range(r.randint(1, 3))]
            self.declarations.append("%s %s %s[%s];" % (scope, type, name, ", ".join(keys)))
            values = {", ".join('"k%d"' % r.randint(0, 2) if k == "string" else "%d" % r.randint(-2, 5) for k in keys)
                      for _ in range(2)}
            for key in sorted(values):
                self.add("%s[%s]" % (text, key), type, None)
        elif kind < 0.6:
            count = r.randint(2, 4)
            self.declarations.append("%s %s %s[%d];" % (scope, type, name, count))
            for i in range(count):
                self.add("%s[%s]" % (text, self.index(i)), type, "")
        else:
            self.declarations.append("%s %s %s;" % (scope, type, name))
            self.add(text, type, None)

    def index(self, i):
        """A constant, or what only the firing knows."""
        return self.random.choice(["%d" % i, "one * %d" % i, 'strlen("%s")' % ("x" * i)])

    def add(self, text, type, empty):
        """EMPTY: what a string is before it is assigned to, None for NULL."""
        for name, inner, count, _ in self.structs.get(type, []):
            for i in range(count or 1):
                index = "[%s]" % self.index(i) if count else ""
                self.places.append(Place("%s.%s%s" % (text, name, index), inner, "" if inner == "string" else 0))
        if type not in self.structs:
            self.places.append(Place(text, INTEGERS.get(type, type), empty if type == "string" else 0))

    # --- expressions: their text and their value ---

    def some(self, is_text):
        found = [p for p in self.places if (p.type == "string") == is_text and p.value is not None]
        return self.random.choice(found) if found else None

    def number(self, depth):
        r, kind = self.random, self.random.random()
        place = self.some(False)
        if depth > 3 or kind < 0.25 or not place:
            n = r.randint(-100, 100)
            return "(%d)" % n, n
        if kind < 0.5:
            return "(long)" + place.text, narrow(place.value, 64, True)
        if kind < 0.6:
            text, value = self.string(depth + 1)
            return "(long)strlen(%s)" % text, len(value)
        if kind < 0.7:
            (a, x), (b, y) = self.string(depth + 1), self.string(depth + 1)
            op = r.choice(list(COMPARE))
            return "(long)(%s %s %s)" % (a, op, b), int(COMPARE[op](x, y))
        (a, x), (b, y), (c, z) = (self.number(depth + 1) for _ in range(3))
        if kind < 0.8:
            return "(%s ? %s : %s)" % (a, b, c), y if x else z
        if kind < 0.9:
            op = r.choice(list(LOGIC) + list(COMPARE))
            return "(long)(%s %s %s)" % (a, op, b), int((LOGIC.get(op) or COMPARE[op])(x, y))
        op = r.choice(list(APPLY))
        return "(%s %s %s)" % (a, op, b), narrow(APPLY[op](x, y), 64, True)

    def string(self, depth):
        r, kind = self.random, self.random.random()
        place = self.some(True)
        if depth > 3 or kind < 0.3:
            text = "".join(r.choice("abcxyz") for _ in range(r.randint(0, 9)))
            return '"%s"' % text, text
        if kind < 0.5 and place:
            return place.text, place.value
        a, x = self.string(depth + 1)
        if kind < 0.7:
            b, y = self.string(depth + 1)
            return "strjoin(%s, %s)" % (a, b), (x + y)[:LONGEST]
        if kind < 0.8:
            begin, count = r.randint(0, 4), r.randint(1, 5)
            return "substr(%s, %d, %d)" % (a, begin, count), x[begin:begin + count]
        n, value = self.number(depth + 1)
        if kind < 0.9:
            return "lltostr(%s)" % n, str(value)
        b, y = self.string(depth + 1)
        return "(%s ? %s : %s)" % (n, a, b), x if value else y

    # --- statements; those that do not RUN leave the model alone ---

    def show(self, place, run):
        if place.value is None:
            text, shown = 'printf("%%d|", %s == NULL);' % place.text, "1|"
        elif place.type == "string":
            text, shown = 'printf("%%s|", %s);' % place.text, place.value + "|"
        else:
            text, shown = 'printf("%%d|", (long)%s);' % place.text, "%d|" % narrow(place.value, 64, True)
        if run:
            self.printed.append(shown)
        return text

    def assign(self, place, value, run):
        if run:
            place.value = value if place.type == "string" else narrow(value, *place.type)

    def branch(self, depth, run):
        condition, value = self.number(1)
        blocks = [" ".join(self.statement(depth + 1, run and bool(value) == taken)
                           for _ in range(self.random.randint(1, 3))) for taken in (True, False)]
        return "if (%s) { %s } else { %s }" % (condition, *blocks)

    def loop(self, depth, run):
        """A loop whose statements run in one of its passes, or in none."""
        r, counter = self.random, "this->loop%d" % depth
        first, passes = r.randint(-3, 3), r.randint(1, 5)
        chosen = r.randint(first, first + passes - 1)
        condition, value = self.number(1)
        kind = r.random()
        body = " ".join(self.statement(depth + 1, run and (kind < 0.6 or bool(value))) for _ in range(r.randint(1, 3)))
        if kind < 0.3:
            return "for (%s = %d; %s < %d; %s++) { if (%s != %d) continue; %s }" % (
                counter, first, counter, first + passes, counter, counter, chosen, body)
        if kind < 0.6:
            return "%s = %d * one; while (%s >= %d) { if (%s-- == %d) { %s } }" % (
                counter, first + passes - 1, counter, first, counter, chosen, body)
        return "while (%s) { %s break; }" % (condition, body)

    def statement(self, depth, run):
        r, kind = self.random, self.random.random()
        if kind < 0.06 and depth < 3:
            return self.loop(depth, run)
        if kind < 0.15 and depth < 3:
            return self.branch(depth, run)
        place = r.choice(self.places)
        if kind < 0.3 and place.value is not None:
            return self.show(place, run)
        if place.type == "string":
            text, value = self.string(0)
            self.assign(place, value, run)
            return "%s = %s;" % (place.text, text)
        if kind < 0.45:
            op = r.choice("+-")
            self.assign(place, APPLY[op](place.value, 1), run)
            return r.choice(["%s%s;" % (place.text, op * 2), "%s%s;" % (op * 2, place.text)])
        text, value = self.number(0)
        if kind < 0.6:
            op = r.choice(list(APPLY))
            self.assign(place, APPLY[op](place.value, value), run)
            return "%s %s= %s;" % (place.text, op, text)
        self.assign(place, value, run)
        return "%s = %s;" % (place.text, text)


def main():
    first, count = int(os.environ.get("SEED", 0)), int(os.environ.get("COUNT", 60))
    for seed in range(first, first + count):
        program = Program(seed)
        with open("random.d", "w") as file:
            file.write(program.text)
        done = subprocess.run(["timeout", "60", os.environ["DTRACE"], "-qs", "random.d"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True)
        wrong = [line for line in done.stderr.splitlines() if "the loop counts in" not in line]
        if done.stdout != program.output or wrong or done.returncode:
            print("SEED=%d:\n%s\nstatus %d, printed\n%swanted\n%s%s" %
                  (seed, program.text, done.returncode, done.stdout, program.output, done.stderr))
            sys.exit(1)


main()
