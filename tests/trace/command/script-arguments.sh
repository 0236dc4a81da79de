# What: $1 is a number, $$2 a string, $0 the script; options joined or apart in the first line.
. "$LIB"
for options in -qs '-q -s'; do
	printf '#!%s %s\nBEGIN { printf("%%d %%s %%s\\n", $1 + 1, $$2, $$0); exit(0); }\n' "$DTRACE" "$options" >s.d
	chmod +x s.d
	./s.d 41 word >out 2>err || fail "status $? with $options"
	same "$(head -n 1 out)" "42 word ./s.d" "output with $options"
	[ -s err ] && fail "messages with $options"
done
true
