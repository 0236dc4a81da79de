# SPDX-License-Identifier: BSD-2-Clause
"""random_inlines - random inlines with parameters, and what they must print by a plain model

The model puts the arguments in the places of the parameters and evaluates what it then meets, so an
argument that is not met does not fault.  Each use is a clause of its own, for a fault ends it.
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


class Program:
    """Expressions are a text, and a function of the parameters' values (functions, too) that evaluates it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.inlines = []
        lines = ["int %s;" % name for name in VARIABLES]
        for i in range(self.random.randint(1, 5)):
            text, value = self.expression(self.random.randint(1, 4), ["x", "y"])
            lines.append("inline int f%d[int x, int y] = %s;" % (i, text))
            self.inlines.append(value)
        lines.append("BEGIN { %s }" % " ".join("%s = %d;" % item for item in VARIABLES.items()))
        lines.append('ERROR { printf("fault "); }')
        self.output = ""
        for _ in range(self.random.randint(3, 10)):
            text, value = self.expression(self.random.randint(2, 5), [])
            lines.append('BEGIN { printf("%%d ", %s); }' % text)
            try:
                self.output += "%d " % value({})
            except Fault:
                self.output += "fault "
        self.text = "\n".join(lines) + "\nBEGIN { exit(0); }\n"

    def leaf(self, names):
        kind = self.random.random()
        if names and kind < 0.6:
            name = self.random.choice(names)
            return name, lambda values: values[name]()
        if kind < 0.9:
            name = self.random.choice(list(VARIABLES))
            return name, lambda values: VARIABLES[name]
        if kind < 0.95:
            number = self.random.randint(0, 9)
            return str(number), lambda values: number
        return "(%s)" % self.random.choice(FAULTS), self.fault

    @staticmethod
    def fault(values):
        raise Fault

    def expression(self, depth, names):
        if depth == 0:
            return self.leaf(names)
        kind = self.random.random()
        left, a = self.expression(depth - 1, names)
        right, b = self.expression(depth - 1, names)
        if kind < 0.35:
            op = self.random.choice(list(APPLY))
            return "(%s %s %s)" % (left, op, right), lambda values: APPLY[op](a(values), b(values))
        if kind < 0.45:
            return "(%s && %s)" % (left, right), lambda values: int(bool(a(values) and b(values)))
        if kind < 0.55:
            return "(%s || %s)" % (left, right), lambda values: int(bool(a(values) or b(values)))
        if kind < 0.75 or not self.inlines:
            other, c = self.expression(depth - 1, names)
            return "(%s ? %s : %s)" % (left, right, other), lambda values: b(values) if a(values) else c(values)
        i = self.random.randrange(len(self.inlines))
        body = self.inlines[i]
        return "f%d[%s, %s]" % (i, left, right), lambda values: body({"x": lambda: a(values), "y": lambda: b(values)})


def main():
    first, count = int(os.environ.get("SEED", 0)), int(os.environ.get("COUNT", 150))
    for seed in range(first, first + count):
        program = Program(seed)
        with open("test.d", "w", encoding="ascii") as f:
            f.write(program.text)
        done = subprocess.run([os.environ["DTRACE"], "-qs", "test.d"], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 1 and "too large" in done.stderr:
            continue
        if done.returncode != 0 or done.stdout.strip() != program.output.strip():
            print("SEED=%d: status %d\n%s\nwanted %s\ngot    %s\n%s" %
                  (seed, done.returncode, program.text, program.output, done.stdout, done.stderr))
            sys.exit(1)


main()
