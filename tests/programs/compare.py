#!/usr/bin/python3
"""compare.py OURS LIBDW [-v] - our stacks (JSON) and libdw's of the same stops: one line of figures

Status 1: less than 99 % are whole, or equal of those that libdw finished.  -v: the others.
"""
import json
import sys


def ours(path):
    stacks = []
    for line in open(path):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if row.get("type") != "record" or len(row["data"]) < 4:
            continue
        tid, pc, sp = (int(item["values"][0]) for item in row["data"][:3])
        stack = row["data"][3]["values"][0]
        frames = [int(frame["address"], 16) for frame in stack["ustack"]]
        stacks.append((tid, pc, sp, frames, stack.get("ended", "full"), row["time"]))
    return stacks


def libdws(path):
    for line in open(path):
        words = line.split()
        yield (int(words[0]), int(words[1]), words[2] == "whole", int(words[3], 16),
               [int(w, 16) for w in words[4:]])


def main():
    stacks = ours(sys.argv[1])
    if not stacks:
        print("0 stacks")
        return 0
    ends = {}
    for stack in stacks:
        ends[stack[4]] = ends.get(stack[4], 0) + 1
    by_thread = {}
    for stack in stacks:
        by_thread.setdefault(stack[0], []).append(stack)
    matched = finished = equal = 0
    seen = set()
    for time, tid, whole, sp, pcs in libdws(sys.argv[2]):
        # The firing that stopped it is the thread's last one before.
        at = max((s for s in by_thread.get(tid, []) if s[5] <= time), key=lambda s: s[5],
                 default=None)
        # A probe at an instruction stops behind it: what that pushed is below.
        if (not at or not pcs or at[5] in seen or not at[1] <= pcs[0] < at[1] + 16
                or not at[2] - 64 <= sp <= at[2]):
            continue
        seen.add(at[5])
        frames = at[3]
        matched += 1
        if not whole:
            continue
        finished += 1
        if frames[1:] == pcs[1:]:
            equal += 1
        elif "-v" in sys.argv:
            print("ours", [hex(f) for f in frames], "libdw", [hex(p) for p in pcs], file=sys.stderr)
    whole = ends.get("whole", 0)
    good = whole >= 0.99 * len(stacks) and equal >= 0.99 * finished and matched
    print("%d stacks, %.2f %% whole, %d matched, %d finished by libdw, %.2f %% equal; %s" % (
        len(stacks), 100 * whole / len(stacks), matched, finished,
        100 * equal / finished if finished else 0,
        " ".join("%s=%d" % end for end in sorted(ends.items()))))
    return 0 if good else 1


sys.exit(main())
