# What: expressions, keys and strings nested far beyond 512 bytes of stack load and give the right values.
. "$LIB"
# nested N BEFORE INNER AFTER - BEFORE N times, INNER, AFTER N times
nested() {
	awk -v n="$1" -v b="$2" -v i="$3" -v a="$4" \
		'BEGIN { for (k = 0; k < n; k++) printf "%s", b; printf "%s", i; for (k = 0; k < n; k++) printf "%s", a }'
}
# wants TEXT SCRIPT
wants() {
	trace -n "$2" </dev/null
	[ "$status" -eq 0 ] || fail "status $status: $2"
	same "$(tr -s ' \n' ' ' <out | sed 's/^ //; s/ $//')" "$1" "output of $2"
}
for n in 7 15 20 25 30 35 40 45 50 250; do
	wants $((n + 1)) "BEGIN { a = 1; trace($(nested $n 'a+(' a ')')); exit(0); }"
done
wants 77 "BEGIN { a = 1; trace($(nested 250 'a > 5 ? 3 : ' 'a + 76' '')); exit(0); }"
for n in 8 12 16 20 30; do
	wants "$((n + 1))" "BEGIN { s = \"x\"; trace(strlen($(nested $n 'strjoin(s, ' '"y"' ')'))); exit(0); }"
	wants 2 "BEGIN { s = \"xyz\"; trace(1 + $(nested $n 'index(s, "y",' 0 ' - 1)')); exit(0); }"
	wants 5 "BEGIN { x[1] = 1; trace(4 + $(nested $n 'x[' 1 ']')); exit(0); }"
	wants "error $((0x60))" "BEGIN { trace($(nested $n '*(long *)(8 + ' '*(long *)96' ')')); } ERROR { printf(\"error %d\", arg5); exit(0); }"
done
keys=$(nested 31 'a,' 'a + 1' '')
for n in 0 4 8 12 15; do
	this=$(nested $n 'this->a = 1; ' '' '' | awk '{ n = 0; while (sub(/this->a /, "this->v" ++n " ")); print }')
	wants "zyz$(nested 31 ' 7' ' 8' '') 1" "BEGIN { a = 7; $this @[$keys] = count(); a = *(int *)0; }
		ERROR { $this trace(index(\"xyz\", \"yz\") == 1 ? strjoin(\"z\", \"yz\") : \"no\"); exit(0); }"
done
