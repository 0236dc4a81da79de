#!/usr/bin/python3
"""program.py FILE.d HEADER PREFIX - a program that fires each probe of FILE.d once, guarded and unguarded in turn

Writes app.c, which includes HEADER and calls macros that begin with PREFIX; app.script, which traces the probes; and
app.wanted, what the script prints: by its number, each argument has a value of its own, of its type's sign and width.
"""
import re
import sys


def probes_of(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    macros = dict(re.findall(r"^#define (\w+) (.*)$", text, flags=re.M))
    provider = re.search(r"provider (\w+)", text).group(1)
    for name, types in re.findall(r"probe (\w+)\(([^)]*)\);", text):
        words = [t.strip() for t in types.split(",") if t.strip()]
        yield provider, name, [macros.get(w, w) for w in words]


def value_of(kind, probe, at):
    """What C passes, what D prints by args[] and as a number (%d of argN)."""
    n = probe * 16 + at
    if kind == "const char *":
        return '"text %d"' % n, "text %d" % n
    if kind == "void *":
        return "(void *)%dUL" % (0x7000000000 + n), "%x" % (0x7000000000 + n)
    value = {"int": -70000 - n, "long": -5000000000 - n, "unsigned int": 4000000000 + n,
             "unsigned char": 128 + n % 128}[kind]
    return {"long": "%dL", "unsigned int": "%dU"}.get(kind, "%d") % value, str(value)


def main():
    definition, header, prefix = sys.argv[1:]
    calls, clauses, wanted = [], [], []
    for number, (provider, name, kinds) in enumerate(probes_of(open(definition).read())):
        values = [value_of(kind, number, at) for at, kind in enumerate(kinds)]
        macro = prefix + name.upper().replace("__", "_")
        calls.append("\t%s%s(%s);" % ("if (%s_ENABLED())\n\t\t" % macro if number % 2 else "", macro,
                                     ", ".join(v[0] for v in values)))
        formats, arguments, line = "", "", [name.replace("__", "-")]
        for at, kind in enumerate(kinds):
            is_text = kind.startswith("const")
            formats += " %s %s" if is_text else " %p %x" if kind == "void *" else " %d %d"
            arguments += ", stringof(args[%d]), copyinstr(arg%d)" % (at, at) if is_text else \
                ", args[%d], arg%d" % (at, at)
            line += [values[at][1]] * 2
        clauses.append('%s$target:::%s { printf("%s%s\\n"%s); }' % (
            provider, line[0], line[0], formats, arguments))
        wanted.append(" ".join(line))
    with open("app.c", "w") as f:
        f.write('#include "%s"\nint main(void)\n{\n%s\n\treturn 0;\n}\n' % (header, "\n".join(calls)))
    with open("app.script", "w") as f:
        f.write("\n".join(clauses) + "\n")
    with open("app.wanted", "w") as f:
        f.write("\n".join(wanted) + "\n")


main()
