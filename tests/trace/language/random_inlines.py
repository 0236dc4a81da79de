# SPDX-License-Identifier: BSD-2-Clause
"""random_inlines - random inlines with parameters, and what they must print by a plain model

The model puts the arguments in the places of the parameters and evaluates what it then meets, so an
argument that is not met does not fault; arguments are evaluated once and first if one of them has
effects.  Each use is a clause of its own, for a fault ends it.
"""
import os
import random
import subprocess
import sys

VARIABLES = {"va": 1, "vb": 7, "vc": -3, "vd": 0}
FAULTS = ["*(int *)(uintptr_t)vd", "va / vd"]
APPLY = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
         "==": lambda a, b: int(a == b), "<": lambda a, b: int(a < b), "^^": lambda a, b: int(bool(a) != bool(b))}


class Fault(Exception):
    pass


class Expression:
    """VALUE is a function of the parameters, which are functions."""

    def __init__(self, text, value, *parts, effects=False):
        self.text, self.value = text, value
        self.effects = effects or any(part.effects for part in parts)


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.inlines, self.changed = [], 0
        lines = ["int %s;" % name for name in list(VARIABLES) + ["changed"]]
        for i in range(self.random.randint(1, 5)):
            body = self.expression(self.random.randint(1, 4), ["x", "y"])
            lines.append("inline int f%d[int x, int y] = %s;" % (i, body.text))
            self.inlines.append(body)
        lines.append("BEGIN { %s }" % " ".join("%s = %d;" % item for item in VARIABLES.items()))
        lines.append('ERROR { printf("fault "); }')
        self.output = ""
        for _ in range(self.random.randint(3, 10)):
            e = self.expression(self.random.randint(2, 5), [])
            lines.append('BEGIN { printf("%%d ", %s); }' % e.text)
            try:
                self.output += "%d " % e.value({})
            except Fault:
                self.output += "fault "
        self.output += "%d" % self.changed
        self.text = "\n".join(lines) + '\nBEGIN { printf("%d", changed); exit(0); }\n'

    def leaf(self, names):
        kind = self.random.random()
        if names and kind < 0.6:
            name = self.random.choice(names)
            return Expression(name, lambda values: values[name]())
        if kind < 0.85:
            name = self.random.choice(list(VARIABLES))
            return Expression(name, lambda values: VARIABLES[name])
        if kind < 0.9:
            return Expression("changed", lambda values: self.changed)
        if kind < 0.92:
            return Expression("(changed += 1)", self.change, effects=True)
        if kind < 0.96:
            number = self.random.randint(0, 9)
            return Expression(str(number), lambda values: number)
        return Expression("(%s)" % self.random.choice(FAULTS), self.fault)

    def change(self, values):
        self.changed += 1
        return self.changed

    @staticmethod
    def fault(values):
        raise Fault

    def expression(self, depth, names):
        if depth == 0:
            return self.leaf(names)
        kind = self.random.random()
        a, b = self.expression(depth - 1, names), self.expression(depth - 1, names)
        if kind < 0.35:
            op = self.random.choice(list(APPLY))
            return Expression("(%s %s %s)" % (a.text, op, b.text), lambda values: APPLY[op](a.value(values), b.value(values)), a, b)
        if kind < 0.45:
            return Expression("(%s && %s)" % (a.text, b.text), lambda values: int(bool(a.value(values) and b.value(values))), a, b)
        if kind < 0.55:
            return Expression("(%s || %s)" % (a.text, b.text), lambda values: int(bool(a.value(values) or b.value(values))), a, b)
        if kind < 0.75 or not self.inlines:
            c = self.expression(depth - 1, names)
            return Expression("(%s ? %s : %s)" % (a.text, b.text, c.text),
                              lambda values: b.value(values) if a.value(values) else c.value(values), a, b, c)
        i = self.random.randrange(len(self.inlines))
        return Expression("f%d[%s, %s]" % (i, a.text, b.text), lambda values: self.use(self.inlines[i], a, b, values),
                          a, b, self.inlines[i])

    @staticmethod
    def use(body, a, b, values):
        if not a.effects and not b.effects:
            return body.value({"x": lambda: a.value(values), "y": lambda: b.value(values)})
        x, y = a.value(values), b.value(values)
        return body.value({"x": lambda: x, "y": lambda: y})


def main():
    first, count, too_large = int(os.environ.get("SEED", 0)), int(os.environ.get("COUNT", 150)), 0
    for seed in range(first, first + count):
        program = Program(seed)
        with open("test.d", "w", encoding="ascii") as f:
            f.write(program.text)
        done = subprocess.run([os.environ["DTRACE"], "-qs", "test.d"], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 1 and "too large" in done.stderr:
            too_large += 1
        elif done.returncode != 0 or done.stdout.strip() != program.output.strip():
            print("SEED=%d: status %d\n%s\nwanted %s\ngot    %s\n%s" %
                  (seed, done.returncode, program.text, program.output, done.stdout, done.stderr))
            sys.exit(1)
    if too_large * 2 > count:
        print("%d of %d programs were too large" % (too_large, count))
        sys.exit(1)


main()
