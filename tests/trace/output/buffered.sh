# What: -B (oformat=buffered) shows the same text in pieces, on standard output; messages stay messages.  Needs: uprobe python3.
# Executors: kernel process.
. "$LIB"
cat >all.d <<'END'
BEGIN { trace("quote \" backslash \\ tab \t"); printf("%d%%\n", 50); setopt("aggsortrev"); }
BEGIN { trace(*(int *)16); }
pid$target::some_function:entry
{
	@calls[probefunc] = count();
	@powers[arg0 % 2, "x"] = quantize(arg0);
	@both["k"] = llquantize((int)arg0 - 500, 10, 0, 3, 10);
}
pid$target::some_function:entry /arg0 == 1/ { ustack(2); }
END { printa("%s %@d\n", @calls); printa(@calls); normalize(@calls, 10); exit(3); }
END
for form in text buffered; do
	trace -x oformat=$form -q -s all.d -c "$TRIGGERS/calls 100"
	same "$status" 3 status
	same "$(grep -c 'invalid address (0x10)' err)" 1 faults
	mv out "out-$form"
done
grep -v '^dtrace: ' out-buffered && fail "a line without the name of the program"
/usr/bin/python3 - <<'END' || fail "not the same text"
import re

pieces = re.findall(r'^dtrace: +dtbda_buffered => "(.*)"$', open("out-buffered").read(), re.M)
unescape = lambda m: "\n" if m[1] == "n" else m[1] if len(m[1]) == 1 else chr(int(m[1], 8))
text = "".join(re.sub(r"\\([0-7]{3}|.)", unescape, piece) for piece in pieces)
assert len(pieces) > 10, pieces
assert text == open("out-text").read(), text
END
